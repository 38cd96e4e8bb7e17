import { drawInteger, type Random } from '../../../base/random.ts'
import type { Action } from '../../../desktop/input/action.ts'
import { chances, defineFault } from '../fault-kind.ts'

const isTyping = ({ type }: Action): boolean => type === 'type'

/** Types a text in which the letter at a drawn position is replaced. */
function retyped(action: Action, random: Random, replace: (letter: string) => string): { readonly action: Action } {
  if (action.type !== 'type') return { action }
  const letters = [...action.text]
  if (letters.length === 0) return { action }
  const [at] = drawInteger(random, 0, letters.length - 1)
  return { action: { ...action, text: letters.with(at, replace(letters[at]!)).join('') } }
}

export const droppedKeys = defineFault({
  id: 'dropped-keys',
  describe: 'One character of a typed text is missing.',
  params: chances({ probability: 0.5, times: 3 }),
  hook: { on: 'action', applies: isTyping, alter: ({ random }, action) => retyped(action, random, () => '') },
})

export const doubledKeys = defineFault({
  id: 'doubled-keys',
  describe: 'One character of a typed text arrives twice.',
  params: chances({ probability: 0.5, times: 3 }),
  hook: {
    on: 'action',
    applies: isTyping,
    alter: ({ random }, action) => retyped(action, random, (letter) => letter + letter),
  },
})
