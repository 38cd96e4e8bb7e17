import { Fault } from '../../../../base/fault.ts'
import { loadLibrary } from '../../native.ts'
import { MAX_MESSAGE_MS } from '../messages.ts'
import type { loadMemoryFunctions, RemoteMemory } from '../remote-memory.ts'

/** The functions about menus that are called, with numbers and addresses as arguments. */
export type MenuFunction = 'GetMenu' | 'GetMenuItemCount' | 'GetMenuItemInfoW' | 'GetMenuItemRect'

export interface MenuCall {
  readonly name: MenuFunction
  readonly args: readonly (number | bigint)[]
}

/** Calls functions about menus where the menus are. Addresses in arguments are those of its memory. */
export interface MenuCaller {
  readonly memory: RemoteMemory
  /** The first byte of the memory that is free for data. */
  readonly dataOffset: number
  call(calls: readonly MenuCall[]): readonly number[]
  close(): void
}

const MAX_CALLS = 400
const MAX_ARGUMENTS = 6
const ENTRY_BYTES = 64
const CALLS_OFFSET = 0x100
const DATA_OFFSET = CALLS_OFFSET + 8 + MAX_CALLS * ENTRY_BYTES
const MEMORY_BYTES = 0x40000
const EXECUTE_READ_WRITE = 0x40

/**
 * Machine code that calls a list of functions: a count, then for each its address, its result and six arguments.
 *
 *     push rbx; push rsi; sub rsp, 48h
 *     mov rsi, [rcx]; lea rbx, [rcx+8]
 *     next: test rsi, rsi; jz end
 *     mov rax, [rbx+30h]; mov [rsp+20h], rax; mov rax, [rbx+38h]; mov [rsp+28h], rax
 *     mov rcx, [rbx+10h]; mov rdx, [rbx+18h]; mov r8, [rbx+20h]; mov r9, [rbx+28h]
 *     call [rbx]; mov [rbx+8], rax
 *     add rbx, 40h; dec rsi; jmp next
 *     end: xor eax, eax; add rsp, 48h; pop rsi; pop rbx; ret
 */
const CODE = Buffer.from(
  '53564883ec48488b31488d59084885f67431488b43304889442420488b43384889442428488b4b10488b53184c8b43204c8b4b28' +
    'ff134889430848' +
    '83c34048ffceebca31c04883c4485e5bc3',
  'hex',
)

/** Creates callers of functions about menus. */
export function createMenuCallers(memories: ReturnType<typeof loadMemoryFunctions>) {
  const user32 = loadLibrary('user32.dll')
  const kernel32 = loadLibrary('kernel32.dll')
  const names: readonly MenuFunction[] = ['GetMenu', 'GetMenuItemCount', 'GetMenuItemInfoW', 'GetMenuItemRect']
  const addresses = new Map(names.map((name) => [name, user32.address(name)]))
  const direct = new Map(
    names.map((name) => [
      name,
      user32.func<(...args: (number | bigint)[]) => number>(name, 'intptr_t', Array(4).fill('intptr_t')),
    ]),
  )
  const createThread = kernel32.func<
    (process: number, a: number, stack: number, code: bigint, data: bigint, flags: number, id: null) => number
  >('CreateRemoteThread', 'intptr_t', [
    ...['intptr_t', 'intptr_t', 'size_t', 'uintptr_t', 'uintptr_t', 'uint32_t'],
    'void *',
  ])
  const wait = kernel32.func<(object: number, ms: number) => number>('WaitForSingleObject', 'uint32_t', [
    'intptr_t',
    'uint32_t',
  ])

  /** Menus of Windows belong to the desktop, so that functions of this process can read them. */
  const directCaller = (): MenuCaller | undefined => {
    const memory = memories.allocate(process.pid, MEMORY_BYTES)
    return (
      memory && {
        memory,
        dataOffset: 0,
        call: (calls) =>
          calls.map(({ name, args }) => direct.get(name)!(...args, ...Array<number>(4 - args.length).fill(0))),
        close: () => memory.close(),
      }
    )
  }

  /** Menus of Wine belong to their program, so the functions are called there. */
  const remoteCaller = (pid: number): MenuCaller | undefined => {
    const memory = memories.allocate(pid, MEMORY_BYTES, EXECUTE_READ_WRITE)
    if (!memory) return undefined
    if (!memory.is64) {
      memory.close()
      return undefined
    }
    memory.write(CODE)
    let isStuck = false
    return {
      memory,
      dataOffset: DATA_OFFSET,
      call(calls) {
        const list = Buffer.alloc(8 + calls.length * ENTRY_BYTES)
        list.writeUInt32LE(calls.length)
        for (const [index, { name, args }] of calls.entries()) {
          const at = 8 + index * ENTRY_BYTES
          list.writeBigUInt64LE(addresses.get(name)!, at)
          for (let place = 0; place < MAX_ARGUMENTS; place++)
            list.writeBigInt64LE(BigInt(args[place] ?? 0), at + 16 + place * 8)
        }
        memory.write(list, CALLS_OFFSET)
        const target = memories.openProcess(pid)
        const thread = createThread(target, 0, 0, memory.address, memory.address + BigInt(CALLS_OFFSET), 0, null)
        try {
          if (thread === 0) return calls.map(() => 0)
          if (wait(thread, MAX_MESSAGE_MS) !== 0) {
            isStuck = true
            throw new Fault('Timeout', 'the program did not answer')
          }
        } finally {
          if (thread !== 0) memories.closeHandle(thread)
          memories.closeHandle(target)
        }
        const done = memory.read(list.length, CALLS_OFFSET)
        return calls.map((_, index) => Number(done.readBigInt64LE(8 + index * ENTRY_BYTES + 8)))
      },
      close() {
        // The thread of a program that hangs still uses the memory.
        if (!isStuck) memory.close()
      },
    }
  }

  const inProgram = isWine()
  return (pid: number): MenuCaller | undefined => (inProgram ? remoteCaller(pid) : directCaller())
}

/** Whether this is Wine and not Windows. */
export function isWine(): boolean {
  try {
    return loadLibrary('ntdll.dll').address('wine_get_version') !== 0n
  } catch {
    return false
  }
}
