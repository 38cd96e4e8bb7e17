import { findOperation } from '../contract/contract.ts'
import { type AnyJson, onSuccess } from '../suite/behaviors.ts'
import type { ProxiedRequest, ProxiedResponse, SabotageBehavior } from '../suite/sabotage.ts'
import { osworldContract } from './contract.ts'

/** Changes the successes of one operation of OSWorld's server. */
export const onSuccessOf = onSuccess(osworldContract)

/** The JSON body of a request; undefined when it has none. */
export function bodyOf({ body }: ProxiedRequest): AnyJson | undefined {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** Changes the JSON body of the requests to a path. */
export const changeBody = (path: string, change: (body: AnyJson) => void): SabotageBehavior => ({
  changeRequest: (request) => {
    const body = request.path === path ? bodyOf(request) : undefined
    if (body === undefined) return
    change(body)
    request.body = Buffer.from(JSON.stringify(body))
  },
})

/** The code of a Python program that a request runs. */
export function programOf(request: ProxiedRequest): string | undefined {
  const command: unknown = request.path === '/execute' ? bodyOf(request)?.command : undefined
  return Array.isArray(command) && command[1] === '-c' ? command[2] : undefined
}

/** Changes the programs before the server runs them. */
export const changeProgram = (change: (code: string) => string): SabotageBehavior => ({
  changeRequest: (request) => {
    const code = programOf(request)
    if (code === undefined) return
    const changed = change(code)
    if (changed !== code) request.body = Buffer.from(JSON.stringify({ command: ['python', '-c', changed] }))
  },
})

/** Replaces a part of the programs. */
export const replaceInProgram = (part: RegExp | string, by: string): SabotageBehavior =>
  changeProgram((code) => code.replace(part, by))

/** An action that does nothing. */
export const IDLE = 'time.sleep(0)'

const PREFIX_END = 'FAILSAFE = False; '

/** Replaces programs whose action, behind the prefix of the client, is exactly this one. */
export const replaceAction = (action: string, by: string): SabotageBehavior =>
  changeProgram((code) => (code.endsWith(PREFIX_END + action) ? code.replace(action, by) : code))

/** Changes the results of the programs that contain a text. */
export const changeResult = (part: string, change: (result: AnyJson) => void): SabotageBehavior => ({
  changeResponse: ({ json }, request) => {
    if (json !== undefined && programOf(request)?.includes(part)) change(json)
  },
})

/** Changes the accessibility tree. */
export const changeTree = (change: (xml: string) => string): SabotageBehavior =>
  onSuccessOf('GET /accessibility', (json) => {
    json.AT = change(json.AT)
  })

export const replaceInTree = (part: RegExp | string, by: string): SabotageBehavior =>
  changeTree((xml) => xml.replace(part, by))

/** Replaces the status of all answers of one path. */
export const replaceStatus = (path: string, from: number, to: number): SabotageBehavior => ({
  changeResponse: (response, request) => {
    if (request.path === path && response.status === from) response.status = to
  },
})

/** Changes the bytes of the successes of one path. */
export const changeBytes = (
  path: string,
  change: (bytes: Buffer, response: ProxiedResponse) => Buffer,
): SabotageBehavior => ({
  changeResponse: (response, request) => {
    if (request.path === path && response.status === 200) response.body = change(response.body, response)
  },
})

/** Whether a request is for a path of the document, by whatever method. */
export const isKnownPath = ({ path }: ProxiedRequest): boolean =>
  ['GET', 'POST'].some((method) => findOperation(osworldContract, method, path) !== undefined)

export const isKnownRequest = ({ method, path }: ProxiedRequest): boolean =>
  findOperation(osworldContract, method, path) !== undefined
