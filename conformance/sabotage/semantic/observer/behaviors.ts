import { observerContract } from '../../../contract/observer.ts'
import { eachWith, type PassingAnswer, type PassingRequest } from '../../sabotage.ts'
import { inAnswer, type Loose, type Trick } from '../behaviors.ts'

/** Changes the successes of one operation. */
export const answer = inAnswer(observerContract)

/** Changes the bodies of requests. */
export const ask = (change: (body: Loose, request: PassingRequest) => void): Trick => ({
  request: (request) => {
    try {
      const body = JSON.parse(request.body.toString())
      change(body, request)
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

/** Answers with another error code, on the paths that begin so. */
export const swapCode = (from: string, to: string, path = '/'): Trick => ({
  answer: (passing, request) => {
    if (request.path.startsWith(path))
      eachWith(passing.json, 'code', (holder) => {
        if (holder.code === from) holder.code = to
      })
  },
})

/** Changes the refusals with one code. */
export const refusal = (code: string, change: (answer: PassingAnswer, request: PassingRequest) => void): Trick => ({
  answer: (passing, request) => {
    if ((passing.json as Loose)?.error?.code === code) change(passing, request)
  },
})

/** Says that what was refused with a code is done, where it fits. */
export const letsPass = (code: string, fits: (request: PassingRequest) => boolean = () => true): Trick =>
  refusal(code, (passing, request) => {
    if (!fits(request)) return
    passing.status = 200
    passing.json = { ok: true, success: true, action: 'act' }
  })

/** Moves every box ten pixels to the right. */
export const shift = (json: Loose) =>
  eachWith(json, 'bounds', (holder) => {
    holder.bounds = { ...(holder.bounds as object), x: (holder.bounds as { x: number }).x + 10 }
  })

/** Answers each address that begins so with what it answered first, for ever. */
export function stale(path: string): Trick {
  const first = new Map<string, unknown>()
  return {
    answer: (passing, request) => {
      if (!request.path.startsWith(path) || passing.status !== 200) return
      if (!first.has(request.path)) first.set(request.path, passing.json)
      passing.json = first.get(request.path)
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
