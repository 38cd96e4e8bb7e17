import { Fault } from '../../base/fault.ts'
import { decodeWideText, loadLibrary } from './native.ts'

/** What Windows lets this process do with the desktop and with other programs. */
export interface DesktopAccess {
  /** Whether mouse and keyboard belong to the desktop of this process. They do not while it is locked or asks for consent. */
  isInputDesktop(): boolean
  /** The integrity level of a process, such as `MEDIUM_INTEGRITY`. Undefined when Windows does not tell it. */
  integrityOf(pid: number): number | undefined
  readonly ownIntegrity: number
}

/** The level of ordinary programs. Programs that run as administrator have a higher one. */
export const MEDIUM_INTEGRITY = 0x2000

const READ_OBJECTS = 1
const OBJECT_NAME = 2
const QUERY_LIMITED_INFORMATION = 0x1000
const TOKEN_QUERY = 8
const TOKEN_INTEGRITY_LEVEL = 25
/** `SID_AND_ATTRIBUTES`, followed by the identifier that it points to. */
const SID_OFFSET = 16
const MAX_NAME_BYTES = 512

/** Loads the functions. */
export function loadDesktopAccess(): DesktopAccess {
  const user32 = loadLibrary('user32.dll')
  const kernel32 = loadLibrary('kernel32.dll')
  const advapi32 = loadLibrary('advapi32.dll')
  const handle = 'intptr_t'
  const openInputDesktop = user32.func<(flags: number, inherit: boolean, access: number) => number>(
    'OpenInputDesktop',
    handle,
    ['uint32_t', 'bool', 'uint32_t'],
  )
  const threadDesktop = user32.func<(thread: number) => number>('GetThreadDesktop', handle, ['uint32_t'])
  const currentThread = kernel32.func<() => number>('GetCurrentThreadId', 'uint32_t', [])
  const closeDesktop = user32.func<(desktop: number) => boolean>('CloseDesktop', 'bool', [handle])
  const objectInformation = user32.func<
    (object: number, which: number, out: Buffer, bytes: number, needed: Buffer) => boolean
  >('GetUserObjectInformationW', 'bool', [handle, 'int', '_Out_ uint8_t *', 'uint32_t', '_Out_ uint8_t *'])
  const openProcess = kernel32.func<(access: number, inherit: boolean, pid: number) => number>('OpenProcess', handle, [
    'uint32_t',
    'bool',
    'uint32_t',
  ])
  const closeHandle = kernel32.func<(object: number) => boolean>('CloseHandle', 'bool', [handle])
  const openToken = advapi32.func<(process: number, access: number, out: Buffer) => boolean>(
    'OpenProcessToken',
    'bool',
    [handle, 'uint32_t', '_Out_ uint8_t *'],
  )
  const tokenInformation = advapi32.func<
    (token: number, which: number, out: Buffer, bytes: number, needed: Buffer) => boolean
  >('GetTokenInformation', 'bool', [handle, 'int', '_Out_ uint8_t *', 'uint32_t', '_Out_ uint8_t *'])

  const nameOf = (desktop: number): string => {
    const name = Buffer.alloc(MAX_NAME_BYTES)
    return objectInformation(desktop, OBJECT_NAME, name, MAX_NAME_BYTES, Buffer.alloc(4)) ? decodeWideText(name) : ''
  }
  const integrityOf = (pid: number): number | undefined => {
    const process = openProcess(QUERY_LIMITED_INFORMATION, false, pid)
    if (process === 0) return undefined
    const token = Buffer.alloc(8)
    const isOpen = openToken(process, TOKEN_QUERY, token)
    closeHandle(process)
    if (!isOpen) return undefined
    const label = Buffer.alloc(128)
    const opened = Number(token.readBigUInt64LE())
    const isKnown = tokenInformation(opened, TOKEN_INTEGRITY_LEVEL, label, label.length, Buffer.alloc(4))
    closeHandle(opened)
    return isKnown ? lastAuthority(label) : undefined
  }
  return {
    isInputDesktop() {
      const input = openInputDesktop(0, false, READ_OBJECTS)
      if (input === 0) return false
      const own = nameOf(threadDesktop(currentThread()))
      const name = nameOf(input)
      closeDesktop(input)
      return name === own || name === '' || own === ''
    },
    integrityOf,
    ownIntegrity: integrityOf(process.pid) ?? MEDIUM_INTEGRITY,
  }
}

/** The level in an integrity label: the last part of its identifier. */
export function lastAuthority(label: Buffer): number {
  const count = label.readUInt8(SID_OFFSET + 1)
  return count === 0 ? 0 : label.readUInt32LE(SID_OFFSET + 8 + (count - 1) * 4)
}

/** Throws `PlatformUnsupported` while the desktop is locked or asks for consent, which no program can drive. */
export function assertInputDesktop(access: DesktopAccess): void {
  if (!access.isInputDesktop())
    throw new Fault(
      'PlatformUnsupported',
      'the desktop is locked, or Windows asks for consent on its secure desktop; a person must unlock or answer it',
    )
}

/** Throws `PlatformUnsupported` for a program that runs with more rights than this one: Windows drops input for it. */
export function assertReachable(
  access: DesktopAccess,
  window: { readonly pid: number; readonly process: string },
): void {
  const level = access.integrityOf(window.pid)
  if (level !== undefined && level > access.ownIntegrity)
    throw new Fault(
      'PlatformUnsupported',
      `${window.process || `process ${window.pid}`} runs as administrator, and Windows drops input for it; start Backlot as administrator too`,
      { pid: window.pid, process: window.process },
    )
}
