import type { CommandContract, CommandResult } from '../contract.ts'

/** How a command of the text form exits. */
export const TEXT_EXIT = { done: 0, refused: 1, usage: 2, noDesktop: 3 } as const

/** A failed command: why, and what to do about it. */
export const failure = (exit: number, message: string, remedy = ''): CommandResult => ({
  stdout: '',
  stderr: `backlot desk: ${message}\n${remedy === '' ? '' : `  ${remedy}\n`}`,
  exit,
})

/** Our own form, for people and agents: trees as lines with refs, and sentences. */
export const textContract: CommandContract = {
  name: 'text',
  versions: [],
  environment: [],
  fail: ({ kind, message }) => failure(kind === 'usage' ? TEXT_EXIT.usage : TEXT_EXIT.noDesktop, message),
}
