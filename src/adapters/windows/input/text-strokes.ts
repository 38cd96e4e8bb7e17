import { characterEvents, type InputEvent } from './input-events.ts'

/** Creates the events that press and release a key by its name. */
export type PressKey = (name: 'enter' | 'tab' | 'backspace') => readonly InputEvent[]

const CONTROL_KEYS: Readonly<Record<string, Parameters<PressKey>[0]>> = {
  '\n': 'enter',
  '\r': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
}

/**
 * The events that type each character of a text, surrogate pairs together. Line ends and tabs are keys, because programs
 * ignore them as characters.
 */
export function textStrokes(text: string, press: PressKey): readonly (readonly InputEvent[])[] {
  return [...text.replaceAll('\r\n', '\n')].map((character) => {
    const key = CONTROL_KEYS[character]
    if (key) return press(key)
    return Array.from({ length: character.length }, (_, unit) => characterEvents(character.charCodeAt(unit))).flat()
  })
}
