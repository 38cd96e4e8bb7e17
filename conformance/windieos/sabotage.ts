import { type AnyJson, changeStatus, onClientMessage, onSuccess } from '../suite/behaviors.ts'
import type { SabotageBehavior } from '../suite/sabotage.ts'
import { windieosContract } from './contract.ts'

/** Changes the JSON of the successes of one operation. */
export const onSuccessOf = onSuccess(windieosContract)

/** Replaces one status of the answers below a path. */
export const changeStatusAt = (from: number, to: number, path: string): SabotageBehavior =>
  changeStatus(from, to, (request) => request.path.startsWith(path))

/** Answers matching messages with an error; the server does not receive them. */
export const refuseMessages = (fits: (message: AnyJson) => boolean): SabotageBehavior =>
  onClientMessage((message, { sendToClient }) => {
    if (!fits(message)) return
    sendToClient({ id: message.id, type: 'error', payload: { message: 'no' }, turn_ref: message.id })
    return false
  })
