import { Fault } from '../../../base/fault.ts'
import { loadLibrary } from '../native.ts'
import type { WindowHandle } from '../native-windows.ts'
import { MAX_MESSAGE_MS, type WindowMessages } from './messages.ts'

/** A call of a function by its address, which is the same in all programs, with numbers and addresses as arguments. */
export interface RemoteCall {
  readonly address: bigint
  readonly args: readonly (number | bigint)[]
}

/** The part of a program's memory that a list of calls is written to. */
interface ListMemory {
  /** Its address in the program. */
  readonly address: bigint
  write(data: Buffer): void
  read(bytes: number): Buffer
}

const MAX_ARGUMENTS = 6
const ENTRY_BYTES = 64
const WM_TIMER = 0x113
const POLL_MS = 1

/** The bytes that a list of calls takes. */
export const callListBytes = (calls: number): number => 8 + calls * ENTRY_BYTES

/**
 * Machine code of a timer procedure that calls a list of functions: a count, then for each its address, its result and six
 * arguments. The id of the timer is the address of the list. The count becomes 0 when all have been called, so a list that was
 * called is not called again.
 *
 *     push rbx; push rsi; push rdi; sub rsp, 40h
 *     mov rdi, r8; mov rsi, [rdi]; lea rbx, [rdi+8]
 *     next: test rsi, rsi; jz end
 *     mov rax, [rbx+30h]; mov [rsp+20h], rax; mov rax, [rbx+38h]; mov [rsp+28h], rax
 *     mov rcx, [rbx+10h]; mov rdx, [rbx+18h]; mov r8, [rbx+20h]; mov r9, [rbx+28h]
 *     call [rbx]; mov [rbx+8], rax
 *     add rbx, 40h; dec rsi; jmp next
 *     end: mov [rdi], rsi; xor eax, eax; add rsp, 40h; pop rdi; pop rsi; pop rbx; ret
 */
export const CALL_LIST_CODE = Buffer.from(
  '5356574883ec404c89c7488b37488d5f084885f67431488b43304889442420488b43384889442428488b4b10488b53184c8b43204c8b4b28' +
    'ff134889430848' +
    '83c34048ffceebca48893731c04883c4405f5e5bc3',
  'hex',
)

export type CodeRunner = ReturnType<typeof loadCodeRunner>

/**
 * Loads a function that has the thread of a window call functions, when it takes the next message, and returns their results.
 * The message is that of a timer with a procedure, which Wine calls without a check of where it comes from. A thread of its own
 * in the program must not do this: Wine has the program start it in a signal handler, which waits for itself when the signal
 * arrives while memory is allocated. Throws `Timeout` when the program takes no messages.
 */
export function loadCodeRunner({ post }: Pick<WindowMessages, 'post'>, isWindow: (hwnd: WindowHandle) => boolean) {
  const sleep = loadLibrary('kernel32.dll').func<(ms: number) => void>('Sleep', 'void', ['uint32_t'])
  return (hwnd: WindowHandle, code: bigint, list: ListMemory, calls: readonly RemoteCall[]): readonly bigint[] => {
    const data = Buffer.alloc(callListBytes(calls.length))
    for (const [index, { address, args }] of calls.entries()) {
      const at = callListBytes(index)
      data.writeBigUInt64LE(address, at)
      for (let place = 0; place < MAX_ARGUMENTS; place++)
        data.writeBigInt64LE(BigInt(args[place] ?? 0), at + 16 + place * 8)
    }
    data.writeUInt32LE(calls.length)
    list.write(data)
    const deadlineMs = performance.now() + MAX_MESSAGE_MS
    if (!post(hwnd, WM_TIMER, list.address, code)) return calls.map(() => 0n)
    while (list.read(4).readUInt32LE() !== 0) {
      if (performance.now() > deadlineMs || !isWindow(hwnd)) throw new Fault('Timeout', 'the program did not answer')
      sleep(POLL_MS)
    }
    const done = list.read(data.length)
    return calls.map((_, index) => done.readBigInt64LE(callListBytes(index) + 8))
  }
}

/** Whether this is Wine and not Windows. */
export function isWine(): boolean {
  try {
    return loadLibrary('ntdll.dll').address('wine_get_version') !== 0n
  } catch {
    return false
  }
}

/** Memory that a program and this process both have, so that reading and writing it calls nobody. */
export interface SharedMemory {
  /** Its address in the program. */
  readonly address: bigint
  write(data: Buffer, offset: number): void
  read(bytes: number, offset: number): Buffer
  close(): void
}

/** How a program gets a section of memory. */
export interface SectionMapper {
  /** Returns the address of the section in the program. Undefined when the system refuses it. */
  map(section: number, bytes: number): bigint | undefined
  unmap(address: bigint): void
}

const NO_FILE = -1
const ALL_ACCESS = 0xf001f
const READ_WRITE = 4
const UNMAP = 2

/** Loads a function that shares memory with a program. It returns undefined when the system refuses it. */
export function loadSharedMemory() {
  const kernel32 = loadLibrary('kernel32.dll')
  const handle = 'intptr_t'
  const closeHandle = kernel32.func<(object: number) => boolean>('CloseHandle', 'bool', [handle])
  const createSection = kernel32.func<
    (file: number, security: null, protection: number, high: number, low: number, name: null) => number
  >('CreateFileMappingW', handle, [handle, 'void *', 'uint32_t', 'uint32_t', 'uint32_t', 'void *'])
  const mapHere = kernel32.func<
    (section: number, access: number, high: number, low: number, bytes: number) => number | bigint
  >('MapViewOfFile', 'uintptr_t', [handle, 'uint32_t', 'uint32_t', 'uint32_t', 'size_t'])
  const unmapHere = kernel32.func<(at: bigint) => boolean>('UnmapViewOfFile', 'bool', ['uintptr_t'])
  const copyIn = kernel32.func<(to: bigint, from: Buffer, bytes: number) => void>('RtlMoveMemory', 'void', [
    ...['uintptr_t', 'uint8_t *'],
    'size_t',
  ])
  const copyOut = kernel32.func<(to: Buffer, from: bigint, bytes: number) => void>('RtlMoveMemory', 'void', [
    ...['_Out_ uint8_t *', 'uintptr_t'],
    'size_t',
  ])

  return (bytes: number, program: SectionMapper): SharedMemory | undefined => {
    const section = createSection(NO_FILE, null, READ_WRITE, 0, bytes, null)
    if (section === 0) return undefined
    const here = BigInt(mapHere(section, ALL_ACCESS, 0, 0, bytes))
    let there: bigint | undefined
    try {
      there = here === 0n ? undefined : program.map(section, bytes)
    } finally {
      closeHandle(section)
      if (there === undefined && here !== 0n) unmapHere(here)
    }
    const address = there
    if (address === undefined) return undefined
    return {
      address,
      write: (data, offset) => copyIn(here + BigInt(offset), data, data.length),
      read(length, offset) {
        const data = Buffer.alloc(length)
        copyOut(data, here + BigInt(offset), length)
        return data
      },
      close() {
        program.unmap(address)
        unmapHere(here)
      },
    }
  }
}

/** Loads a function that gives a section to the program of a process handle, as Windows does without the help of the program. */
export function loadSectionMapper() {
  const ntdll = loadLibrary('ntdll.dll')
  const handle = 'intptr_t'
  const mapThere = ntdll.func<
    (
      section: number,
      process: number,
      address: Buffer,
      zeroBits: number,
      commit: number,
      offset: null,
      bytes: Buffer,
      inherit: number,
      kind: number,
      protection: number,
    ) => number
  >('NtMapViewOfSection', 'int32_t', [
    ...[handle, handle, '_Inout_ uint8_t *', 'uintptr_t', 'size_t', 'void *'],
    ...['_Inout_ uint8_t *', 'uint32_t', 'uint32_t', 'uint32_t'],
  ])
  const unmapThere = ntdll.func<(process: number, at: bigint) => number>('NtUnmapViewOfSection', 'int32_t', [
    handle,
    'uintptr_t',
  ])
  return (process: number): SectionMapper => ({
    map(section, bytes) {
      const [address, size] = [Buffer.alloc(8), Buffer.alloc(8)]
      size.writeBigUInt64LE(BigInt(bytes))
      const status = mapThere(section, process, address, 0, 0, null, size, UNMAP, 0, READ_WRITE)
      return status >= 0 ? address.readBigUInt64LE() : undefined
    },
    unmap: (address) => void unmapThere(process, address),
  })
}
