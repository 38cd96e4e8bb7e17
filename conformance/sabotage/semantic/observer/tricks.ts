import { observerContract } from '../../../contract/observer.ts'
import { eachWith } from '../../sabotage.ts'
import { inAnswer, type Loose, type Trick } from '../tools.ts'

/** Changes the successes of one operation. */
export const answer = inAnswer(observerContract)

/** Changes the bodies of requests. */
export const ask = (change: (body: Loose) => void): Trick => ({
  request: (request) => {
    try {
      const body = JSON.parse(request.body.toString())
      change(body)
      request.body = Buffer.from(JSON.stringify(body))
    } catch {
      // What is not JSON passes as it is.
    }
  },
})

/** Changes a query parameter before the server sees it. */
export const asking = (name: string, value: string | undefined): Trick => ({
  request: (request) => {
    const url = new URL(request.path, 'http://host')
    if (!url.searchParams.has(name)) return
    if (value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
    request.path = url.pathname + url.search
  },
})

/** Answers with another error code. */
export const swapCode = (from: string, to: string): Trick => ({
  answer: (passing) =>
    eachWith(passing.json, 'code', (holder) => {
      if (holder.code === from) holder.code = to
    }),
})

/** Moves every box ten pixels to the right. */
export const shift = (json: Loose) =>
  eachWith(json, 'bounds', (holder) => {
    holder.bounds = { ...(holder.bounds as object), x: (holder.bounds as { x: number }).x + 10 }
  })

/** Answers a route with what it answered first, for ever. */
export function stale(path: string): Trick {
  let first: unknown
  return {
    answer: (passing, request) => {
      if (!request.path.startsWith(path) || passing.status !== 200) return
      first ??= passing.json
      passing.json = first
    },
  }
}

/** Answers POST with success without the server having seen it. */
export const pretend = (path: string): Trick => ({
  request: (request) => {
    if (request.path === path)
      request.body = Buffer.from(JSON.stringify({ ...JSON.parse(request.body.toString()), dry_run: true }))
  },
  answer: (passing, request) => {
    if (request.path === path && passing.json) (passing.json as Loose).dry_run = false
  },
})
