import { FAULTS, Fault, type FaultCode } from '../../base/fault.ts'
import type { ComputerCallOptions, ComputerCallResult, ComputerTarget } from './dialect.ts'

/** The computer tools of a running server, as `backlot eval` passes them to agents. */
export interface RemoteDesktop {
  /** Where the computer tools are, such as `http://127.0.0.1:5001/computer`. */
  readonly url: string
  readonly token?: string | undefined
  /** Sends the requests. By default the `fetch` of Node. */
  readonly fetch?: typeof fetch | undefined
}

/** Whether a target is on a running server. */
export const isRemote = (target: ComputerTarget | RemoteDesktop): target is RemoteDesktop => 'url' in target

/** Executes a call on a running server, which answers with `Output`. Throws its fault if the request was refused. */
export async function callRemote<Output>(
  { url, token, fetch: send = fetch }: RemoteDesktop,
  vendor: string,
  toolCall: object,
  { display, pointer, acknowledged }: ComputerCallOptions,
  signal?: AbortSignal | null,
): Promise<ComputerCallResult<Output>> {
  const { width, height, monitor } = display ?? {}
  const asked = { display_width: width, display_height: height, monitor, pointer }
  const query = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  const reply = await send(`${url.replace(/\/+$/, '')}/${vendor}${query.length > 0 ? `?${query.join('&')}` : ''}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(Array.isArray(acknowledged) && { 'x-backlot-confirm': acknowledged.join(',') }),
    },
    body: JSON.stringify(toolCall),
    signal: signal ?? null,
  })
  const text = await reply.text()
  const code = reply.headers.get('x-backlot-error')
  const messageIn = (header: string) => decodeURIComponent(reply.headers.get(header) ?? '')
  if (!reply.ok && code === null)
    throw new Fault(REFUSED[reply.status] ?? 'BadRequest', `${url} answered ${reply.status}: ${text.slice(0, 500)}`)
  const fault =
    code === null ? undefined : new Fault(isFaultCode(code) ? code : 'BadRequest', messageIn('x-backlot-error-message'))
  const id = reply.headers.get('x-backlot-confirm')
  return {
    output: JSON.parse(text),
    ...(fault && { fault }),
    ...(id !== null && { confirmation: { id, message: messageIn('x-backlot-confirm-message') } }),
  }
}

const REFUSED: Readonly<Record<number, FaultCode>> = {
  401: 'Unauthorized',
  403: 'PermissionDenied',
  404: 'SessionNotFound',
}

const isFaultCode = (code: string): code is FaultCode => Object.hasOwn(FAULTS, code)
