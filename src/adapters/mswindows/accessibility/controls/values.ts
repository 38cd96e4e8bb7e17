import { isCheckable, isMultilineEdit, isPasswordEdit, isReadOnlyEdit, isThreeState } from '../control-classes.ts'
import { MAX_TEXT } from '../messages.ts'
import { parseLabel } from '../native-node.ts'
import type { ControlContext, ControlState, NativeControl } from './control.ts'

export const BM = { state: 0xf0, click: 0xf5 } as const
export const TBM = { position: 0x400, min: 0x401, max: 0x402, setPosition: 0x405 } as const
export const UDM = { range: 0x466, setPosition: 0x471, position: 0x472 } as const
const PBM = { range: 0x407, position: 0x408 } as const
const MIXED = 2

/** The state of a check box or radio button. */
export function readButton({ messages }: ControlContext, { hwnd, style }: NativeControl): ControlState {
  if (!isCheckable(style)) return {}
  const state = messages.send(hwnd, BM.state)
  return {
    selected: state === 1,
    ...(isThreeState(style) && { traits: { triState: true } }),
    ...(state === MIXED && { value: 'mixed' }),
  }
}

/** The text of a field. Of a password, only the length. */
export function readEdit({ messages }: ControlContext, { hwnd, style }: NativeControl): ControlState {
  const isSecret = isPasswordEdit(style)
  const text = isSecret ? '•'.repeat(messages.textLength(hwnd)) : messages.text(hwnd)
  const traits = {
    ...(isSecret && { secret: true }),
    ...(isReadOnlyEdit(style) && { readOnly: true }),
    ...(isMultilineEdit(style) && { multiline: true }),
    ...(text.length >= MAX_TEXT && { childCount: 0 }),
  }
  return {
    value: text.replaceAll('\r\n', '\n'),
    ...(Object.keys(traits).length > 0 && { traits }),
  }
}

export function readTrackBar({ messages }: ControlContext, { hwnd }: NativeControl): ControlState {
  return {
    valueNow: messages.send(hwnd, TBM.position),
    valueMin: messages.send(hwnd, TBM.min),
    valueMax: messages.send(hwnd, TBM.max),
  }
}

export function readProgress({ messages }: ControlContext, { hwnd }: NativeControl): ControlState {
  return {
    valueNow: messages.send(hwnd, PBM.position),
    valueMin: messages.send(hwnd, PBM.range, 1),
    valueMax: messages.send(hwnd, PBM.range, 0),
  }
}

/** The number of an up-down control. Its old message returns the range in one number. */
export function readUpDown({ messages }: ControlContext, { hwnd }: NativeControl): ControlState {
  const range = messages.send(hwnd, UDM.range)
  const [upper, lower] = [(range << 16) >> 16, range >> 16]
  return {
    valueNow: messages.send(hwnd, UDM.position) | 0,
    valueMin: Math.min(lower, upper),
    valueMax: Math.max(lower, upper),
  }
}

export const readDate = ({ messages }: ControlContext, { hwnd }: NativeControl): ControlState => ({
  value: messages.text(hwnd),
})

/** A link has its text in tags. */
export const readLink = ({ messages }: ControlContext, { hwnd }: NativeControl): ControlState => ({
  name: parseLabel(messages.text(hwnd).replace(/<[^>]*>/g, '')).name,
})
