import { loadLibrary } from '../native.ts'
import type { WindowHandle } from '../native-windows.ts'
import { loadSectionMapper, loadSharedMemory, type RemoteCall, type SharedMemory } from './remote-code.ts'

/** An address in another program. */
type MemoryAddress = bigint

/** A block of memory in another program, through which common controls take and return structures. */
export interface RemoteMemory {
  readonly address: MemoryAddress
  readonly bytes: number
  /** Whether pointers of the program have 8 bytes, otherwise 4. */
  readonly is64: boolean
  write(data: Buffer, offset?: number): void
  read(bytes: number, offset?: number): Buffer
  /** Frees it, which waits for the program. */
  close(): void
  /** Calls functions in the program and returns their results. Under Wine only, in programs of 64 bits. */
  readonly call?: (hwnd: WindowHandle, calls: readonly RemoteCall[]) => readonly bigint[]
}

/** A process whose memory can be read and written. */
export interface OpenProcess {
  readonly handle: number
  readonly is64: boolean
  hasEnded(): boolean
  close(): void
}

export type MemoryFunctions = ReturnType<typeof loadMemoryFunctions>

// Operate on, read and write memory, duplicate handles, query.
const ACCESS = 0x0008 | 0x0010 | 0x0020 | 0x0040 | 0x0400
const STILL_ACTIVE = 259
const COMMIT_AND_RESERVE = 0x3000
const READ_WRITE = 0x04
const RELEASE = 0x8000

export function loadMemoryFunctions() {
  const kernel32 = loadLibrary('kernel32.dll')
  const handle = 'intptr_t'
  type Copy = (process: number, at: MemoryAddress, data: Buffer, bytes: number, done: null) => boolean
  const openProcess = kernel32.func<(access: number, inherit: boolean, pid: number) => number>('OpenProcess', handle, [
    'uint32_t',
    'bool',
    'uint32_t',
  ])
  const closeHandle = kernel32.func<(object: number) => boolean>('CloseHandle', 'bool', [handle])
  const askProcess = (name: string) =>
    kernel32.func<(process: number, out: Buffer) => boolean>(name, 'bool', [handle, '_Out_ uint8_t *'])
  const isWow64 = askProcess('IsWow64Process')
  const exitCode = askProcess('GetExitCodeProcess')
  const allocate = kernel32.func<
    (process: number, at: number, bytes: number, kind: number, protection: number) => number | bigint
  >('VirtualAllocEx', 'uintptr_t', [handle, handle, 'size_t', 'uint32_t', 'uint32_t'])
  const free = kernel32.func<(process: number, at: MemoryAddress, bytes: number, kind: number) => boolean>(
    'VirtualFreeEx',
    'bool',
    [handle, 'uintptr_t', 'size_t', 'uint32_t'],
  )
  const write = kernel32.func<Copy>('WriteProcessMemory', 'bool', [
    ...[handle, 'uintptr_t', 'uint8_t *', 'size_t'],
    'void *',
  ])
  const read = kernel32.func<Copy>('ReadProcessMemory', 'bool', [
    ...[handle, 'uintptr_t', '_Out_ uint8_t *', 'size_t'],
    'void *',
  ])
  const share = loadSharedMemory()
  const mapperOf = loadSectionMapper()

  const readAt = (process: OpenProcess, address: MemoryAddress, length: number) => {
    const data = Buffer.alloc(length)
    read(process.handle, address, data, length, null)
    return data
  }
  const answerOf = (ask: typeof exitCode, process: number): number | undefined => {
    const out = Buffer.alloc(4)
    return ask(process, out) ? out.readUInt32LE() : undefined
  }
  const open = (pid: number): OpenProcess | undefined => {
    const process = openProcess(ACCESS, false, pid)
    if (process === 0) return undefined
    return {
      handle: process,
      is64: !answerOf(isWow64, process),
      hasEnded: () => answerOf(exitCode, process) !== STILL_ACTIVE,
      close: () => void closeHandle(process),
    }
  }
  /** Memory of a process from `start` on in memory that is shared with it. */
  const sharedBlock = (process: OpenProcess, shared: SharedMemory, start: number, bytes: number): RemoteMemory => {
    const address = shared.address + BigInt(start)
    const isInside = (offset: number, length: number) => offset >= 0 && offset + length <= bytes
    return {
      ...{ address, bytes, is64: process.is64 },
      write(data, offset = 0) {
        if (!isInside(offset, data.length)) throw new RangeError(`${data.length} bytes do not fit at ${offset}`)
        shared.write(data, start + offset)
      },
      read: (length, offset = 0) =>
        isInside(offset, length)
          ? shared.read(length, start + offset)
          : readAt(process, address + BigInt(offset), length),
      close: shared.close,
    }
  }
  /** Memory of a process that the system reads and writes. */
  const ownBlock = (process: OpenProcess, bytes: number, protection = READ_WRITE): RemoteMemory | undefined => {
    const address = BigInt(allocate(process.handle, 0, bytes, COMMIT_AND_RESERVE, protection))
    if (address === 0n) return undefined
    return {
      ...{ address, bytes, is64: process.is64 },
      write(data, offset = 0) {
        write(process.handle, address + BigInt(offset), data, data.length, null)
      },
      read: (length, offset = 0) => readAt(process, address + BigInt(offset), length),
      close: () => void free(process.handle, address, 0, RELEASE),
    }
  }

  return {
    open,
    share,
    sharedBlock,
    ownBlock,
    /** Allocates memory in a program. Undefined when the system refuses it, as for programs of an administrator. */
    allocate(pid: number, bytes: number): RemoteMemory | undefined {
      const process = open(pid)
      if (!process) return undefined
      const shared = share(bytes, mapperOf(process.handle))
      const block = shared ? sharedBlock(process, shared, 0, bytes) : ownBlock(process, bytes)
      if (!block) process.close()
      return (
        block && {
          ...block,
          close() {
            block.close()
            process.close()
          },
        }
      )
    },
  }
}
