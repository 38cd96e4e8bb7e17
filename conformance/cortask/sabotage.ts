import { type AnyJson, onClientMessage, onMessage } from '../suite/behaviors.ts'
import type { JsonMessage, SabotageBehavior } from '../suite/sabotage.ts'

/** An error of a run. */
export const errorFor = (sessionKey: unknown) => ({ type: 'error', sessionKey, error: 'no' })

/** Refuses matching chats. */
export const refuseChats = (fits: (chat: AnyJson) => boolean): SabotageBehavior =>
  onClientMessage((message, { sendToClient }) => {
    if (message.type !== 'chat' || !fits(message)) return
    sendToClient(errorFor(message.sessionKey))
    return false
  })

/** Drops matching messages of a type. */
export const dropClientMessages = (type: string, fits: (message: AnyJson) => boolean = () => true): SabotageBehavior =>
  onClientMessage((message) => message.type !== type || !fits(message))

/** Whether a message asks for permission. */
export const isPermissionRequest = ({ type }: JsonMessage) => type === 'permission_request'

/** Every message of a type from now on has a field that never changes. */
export const fixField = (type: string, key: string, value: string): SabotageBehavior =>
  onMessage(type, (message) => {
    message[key] = value
  })
