import { PythonError } from '../python-error.ts'
import { requiredNumber } from '../signature.ts'
import { float, type Module, printedText, str, type Value } from '../value.ts'
import type { ProgramMachine } from './machine.ts'
import { MAX_SLEEP_SECONDS, nativeFunction, nativeModule } from './module.ts'

/** `time`, of which `sleep` passes time of the desktop. */
export const createTime = (machine: ProgramMachine): readonly [string, Module] =>
  nativeModule('time', [
    nativeFunction('sleep', [{ name: 'seconds' }], async (bound) => {
      const seconds = requiredNumber(bound, 'seconds')
      if (seconds < 0) throw new PythonError('ValueError', 'sleep length must be non-negative')
      if (seconds > MAX_SLEEP_SECONDS)
        throw new PythonError('ValueError', `sleep is at most ${MAX_SLEEP_SECONDS} seconds on this desktop`)
      if (seconds > 0) await machine.wait(Math.round(seconds * 1000))
      return undefined
    }),
    nativeFunction('time', [], async () => float((await machine.now()) / 1000)),
  ])

export const createPyperclip = (machine: ProgramMachine): readonly [string, Module] =>
  nativeModule('pyperclip', [
    nativeFunction('copy', [{ name: 'text' }], async (bound) => {
      const text: Value = bound.get('text')!
      if (!['str', 'int', 'float', 'bool'].includes(text.kind))
        throw new PythonError(
          'PyperclipException',
          'only str, int, float, and bool values can be copied to the clipboard',
        )
      await machine.writeClipboard(printedText(text))
      return undefined
    }),
    nativeFunction('paste', [], async () => str(await machine.readClipboard())),
  ])

/** `platform`, by which clients learn the dialect of the accessibility tree. */
export const createPlatform = ({ platform }: ProgramMachine): readonly [string, Module] =>
  nativeModule('platform', [nativeFunction('system', [], () => str(platform))])
