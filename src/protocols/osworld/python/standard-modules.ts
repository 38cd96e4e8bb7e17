import {
  MAX_SLEEP_SECONDS,
  nativeFunction,
  nativeModule,
  type ProgramMachine,
  requiredNumber,
  requireString,
} from './native.ts'
import {
  bool,
  bytes,
  exceptionClass,
  float,
  isTrue,
  MAX_STRING_CHARACTERS,
  type Module,
  NONE,
  PythonError,
  printedText,
  str,
  tuple,
  typeName,
  type Value,
} from './value.ts'

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
    ['PyperclipException', exceptionClass('PyperclipException')],
  ])

/** What `platform` returns on each system. The machine is a typical one, and the same for every desktop of the system. */
const MACHINES: Readonly<Record<string, { machine: string; release: string; version: string }>> = {
  Linux: { machine: 'x86_64', release: '6.8.0-40-generic', version: '#40-Ubuntu SMP PREEMPT_DYNAMIC' },
  Windows: { machine: 'AMD64', release: '11', version: '10.0.22631' },
  Darwin: { machine: 'arm64', release: '24.0.0', version: 'Darwin Kernel Version 24.0.0' },
}
const UNAME = ['system', 'node', 'release', 'version', 'machine'] as const

/** `platform`, by which clients learn the dialect of the accessibility tree and the architecture. */
export function createPlatform({ platform: system }: ProgramMachine): readonly [string, Module] {
  const { machine, release, version } = MACHINES[system] ?? MACHINES.Linux!
  const facts = { system, node: 'desktop', release, version, machine, processor: machine, python_version: '3.10.12' }
  const texts = { ...facts, platform: `${system}-${release}-${machine}` }
  const uname = tuple(
    UNAME.map((name) => str(facts[name])),
    { type: 'uname_result', fields: UNAME },
  )
  return nativeModule('platform', [
    ...Object.entries(texts).map(([name, text]) => nativeFunction(name, [], () => str(text))),
    nativeFunction('architecture', [], () => tuple([str('64bit'), str('')])),
    nativeFunction('uname', [], () => uname),
  ])
}

/** `base64`, with which agents send text that pyautogui cannot type. */
export function createBase64(): readonly [string, Module] {
  const decoder = (name: string, alphabet: string) =>
    nativeFunction(
      name,
      [{ name: 's' }, { name: 'altchars', default: NONE }, { name: 'validate', default: bool(false) }],
      (bound) => {
        const altchars = bound.get('altchars')!
        const extra = altchars.kind === 'none' ? alphabet : dataOf(altchars, 'altchars')
        if (extra.length !== 2) throw new PythonError('ValueError', 'altchars must have two characters')
        return bytes(decodeBase64(dataOf(bound.get('s')!, 's'), extra, isTrue(bound.get('validate')!)))
      },
    )
  const encoder = (name: string, alphabet: string) =>
    nativeFunction(name, [{ name: 's' }], (bound) => {
      const data = bound.get('s')!
      if (data.kind !== 'bytes')
        throw new PythonError('TypeError', `a bytes-like object is required, not '${typeName(data)}'`)
      const text = Buffer.from(data.value, 'latin1').toString('base64')
      if (text.length > MAX_STRING_CHARACTERS) throw new PythonError('MemoryError', 'the text is too long')
      return bytes(text.replaceAll('+', alphabet[0]!).replaceAll('/', alphabet[1]!))
    })
  return nativeModule('base64', [
    decoder('b64decode', '+/'),
    decoder('standard_b64decode', '+/'),
    decoder('urlsafe_b64decode', '-_'),
    encoder('b64encode', '+/'),
    encoder('standard_b64encode', '+/'),
    encoder('urlsafe_b64encode', '-_'),
  ])
}

export const createBinascii = (): readonly [string, Module] =>
  nativeModule('binascii', [['Error', exceptionClass('binascii.Error')]])

function dataOf(value: Value, name: string): string {
  if (value.kind === 'bytes') return value.value
  const text = requireString(value, name)
  if ([...text].some((character) => character > '\u007f'))
    throw new PythonError('ValueError', 'string argument should contain only ASCII characters')
  return text
}

/** As in the original, characters outside of the alphabet are skipped unless they are to be refused. */
function decodeBase64(text: string, extra: string, isStrict: boolean): string {
  let digits = ''
  let padding = 0
  for (const character of text) {
    const at = extra.indexOf(character)
    const digit = at >= 0 ? '+/'[at] : /[A-Za-z0-9]/.test(character) ? character : undefined
    if (digit !== undefined) {
      digits += digit
      padding = 0
    } else if (character !== '=') {
      if (isStrict) throw new PythonError('binascii.Error', 'Only base64 data is allowed')
    } else if (digits.length % 4 >= 2) {
      padding++
      if ((digits.length % 4) + padding === 4) return Buffer.from(digits, 'base64').toString('latin1')
    }
  }
  if (digits.length % 4 === 1)
    throw new PythonError(
      'binascii.Error',
      `Invalid base64-encoded string: number of data characters (${digits.length}) cannot be 1 more than a multiple of 4`,
    )
  if (digits.length % 4 !== 0) throw new PythonError('binascii.Error', 'Incorrect padding')
  return Buffer.from(digits, 'base64').toString('latin1')
}
