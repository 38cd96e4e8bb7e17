import { type AnyJson, onSuccess } from '../suite/behaviors.ts'
import { forEachWithKey, type ProxiedRequest, type ProxiedResponse, type SabotageBehavior } from '../suite/sabotage.ts'
import { observerContract } from './contract.ts'

/** Changes the successes of one operation. */
export const onSuccessOf = onSuccess(observerContract)

/** Whether a request is for a path with this start. */
export const isOnPath =
  (start: string) =>
  ({ path }: ProxiedRequest): boolean =>
    path.startsWith(start)

/** Changes the bodies of requests. */
export const onRequestBody = (change: (body: AnyJson, request: ProxiedRequest) => void): SabotageBehavior => ({
  changeRequest: (request) => {
    try {
      const body = JSON.parse(request.body.toString())
      change(body, request)
      request.body = Buffer.from(JSON.stringify(body))
    } catch {
      // Bodies that are not JSON pass unchanged.
    }
  },
})

/** Changes a query parameter before the server sees it. */
export const changeQuery = (name: string, value: string | undefined): SabotageBehavior => ({
  changeRequest: (request) => {
    const url = new URL(request.path, 'http://host')
    if (!url.searchParams.has(name)) return
    if (value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
    request.path = url.pathname + url.search
  },
})

/** Replaces an error code on paths with a prefix. */
export const swapCode = (from: string, to: string, path = '/'): SabotageBehavior => ({
  changeResponse: (response, request) => {
    if (request.path.startsWith(path))
      forEachWithKey(response.json, 'code', (holder) => {
        if (holder.code === from) holder.code = to
      })
  },
})

/** Changes the refusals with one code. */
export const onRefusal = (
  code: string,
  change: (answer: ProxiedResponse, request: ProxiedRequest) => void,
): SabotageBehavior => ({
  changeResponse: (response, request) => {
    const { error, code: legacyCode } = (response.json ?? {}) as AnyJson
    if ((error?.code ?? legacyCode) === code) change(response, request)
  },
})

/** Reports success for matching requests that were refused with a code. */
export const acceptRefused = (
  code: string,
  fits: (request: ProxiedRequest) => boolean = () => true,
): SabotageBehavior =>
  onRefusal(code, (response, request) => {
    if (!fits(request)) return
    response.status = 200
    response.json = { ok: true, success: true, action: 'act' }
  })

/** Moves all bounds ten pixels to the right. */
export const shiftBounds = (json: AnyJson) =>
  forEachWithKey(json, 'bounds', (holder) => {
    holder.bounds = { ...(holder.bounds as object), x: (holder.bounds as { x: number }).x + 10 }
  })

/** Repeats the first response of each address with a prefix. */
export function serveStale(path: string): SabotageBehavior {
  const first = new Map<string, unknown>()
  return {
    changeResponse: (response, request) => {
      if (!request.path.startsWith(path) || response.status !== 200) return
      if (!first.has(request.path)) first.set(request.path, response.json)
      response.json = first.get(request.path)
    },
  }
}

/** Answers POST with success without the server having seen it. */
export const forceDryRun = (path: string): SabotageBehavior => ({
  changeRequest: (request) => {
    if (request.path === path)
      request.body = Buffer.from(JSON.stringify({ ...JSON.parse(request.body.toString()), dry_run: true }))
  },
  changeResponse: (response, request) => {
    if (request.path === path && response.json) (response.json as AnyJson).dry_run = false
  },
})

/** Replaces every selector. */
export const changeFoundSelector = (change: (selector: string) => string): SabotageBehavior => ({
  changeRequest: (request) => {
    const url = new URL(request.path, 'http://host')
    const selector = url.searchParams.get('selector')
    if (selector === null || url.pathname !== '/api/find_element') return
    url.searchParams.set('selector', change(selector))
    request.path = url.pathname + url.search
  },
})

/** Whether the body of a request contains a text. */
export const hasInBody = (text: string) => (request: ProxiedRequest) => request.body.includes(text)

/** Changes the addresses of requests. */
export const changePath = (change: (path: string) => string): SabotageBehavior => ({
  changeRequest: (request) => {
    request.path = change(request.path)
  },
})

/** Removes a query parameter from addresses with a prefix. */
export function withoutParameter(text: string, start: string, name: string): string {
  const url = new URL(text, 'http://host')
  if (url.pathname !== start) return text
  url.searchParams.delete(name)
  return url.pathname + url.search
}
