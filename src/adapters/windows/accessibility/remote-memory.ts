import { loadLibrary } from '../native.ts'
import { loadSharedMemory } from './shared-memory.ts'

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
}

export type MemoryFunctions = ReturnType<typeof loadMemoryFunctions>

// Create a thread, operate on, read and write memory, query.
const ACCESS = 0x0002 | 0x0008 | 0x0010 | 0x0020 | 0x0400
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
  const isWow64 = kernel32.func<(process: number, out: Buffer) => boolean>('IsWow64Process', 'bool', [
    handle,
    '_Out_ uint8_t *',
  ])
  const allocate = kernel32.func<
    (process: number, at: number, bytes: number, kind: number, protection: number) => number | bigint
  >('VirtualAllocEx', 'uintptr_t', [handle, handle, 'size_t', 'uint32_t', 'uint32_t'])
  const free = kernel32.func<(process: number, at: MemoryAddress, bytes: number, kind: number) => boolean>(
    'VirtualFreeEx',
    'bool',
    [handle, 'uintptr_t', 'size_t', 'uint32_t'],
  )
  const share = loadSharedMemory()
  const write = kernel32.func<Copy>('WriteProcessMemory', 'bool', [
    ...[handle, 'uintptr_t', 'uint8_t *', 'size_t'],
    'void *',
  ])
  const read = kernel32.func<Copy>('ReadProcessMemory', 'bool', [
    ...[handle, 'uintptr_t', '_Out_ uint8_t *', 'size_t'],
    'void *',
  ])

  return {
    openProcess: (pid: number): number => openProcess(ACCESS, false, pid),
    closeHandle,
    /** Allocates memory in a program. Undefined when the system refuses it, as for programs of an administrator. */
    allocate(pid: number, bytes: number, protection = READ_WRITE): RemoteMemory | undefined {
      const process = openProcess(ACCESS, false, pid)
      if (process === 0) return undefined
      const wow = Buffer.alloc(4)
      const is64 = !(isWow64(process, wow) && wow.readUInt32LE() !== 0)
      const readAt = (address: MemoryAddress, length: number) => {
        const data = Buffer.alloc(length)
        read(process, address, data, length, null)
        return data
      }
      const shared = share(process, bytes, protection)
      if (shared) {
        const { address } = shared
        const isInside = (offset: number, length: number) => offset >= 0 && offset + length <= bytes
        return {
          ...{ address, bytes, is64 },
          write(data, offset = 0) {
            if (!isInside(offset, data.length)) throw new RangeError(`${data.length} bytes do not fit at ${offset}`)
            shared.write(data, offset)
          },
          read: (length, offset = 0) =>
            isInside(offset, length) ? shared.read(length, offset) : readAt(address + BigInt(offset), length),
          close() {
            shared.close()
            closeHandle(process)
          },
        }
      }
      const address = BigInt(allocate(process, 0, bytes, COMMIT_AND_RESERVE, protection))
      if (address === 0n) {
        closeHandle(process)
        return undefined
      }
      return {
        ...{ address, bytes, is64 },
        write(data, offset = 0) {
          write(process, address + BigInt(offset), data, data.length, null)
        },
        read: (length, offset = 0) => readAt(address + BigInt(offset), length),
        close() {
          free(process, address, 0, RELEASE)
          closeHandle(process)
        },
      }
    },
  }
}
