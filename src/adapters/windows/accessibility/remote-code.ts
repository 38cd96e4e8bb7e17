import { Fault } from '../../../base/fault.ts'
import { loadLibrary } from '../native.ts'
import type { WindowHandle } from '../window-list/native-window.ts'
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
