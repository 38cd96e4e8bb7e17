import { loadLibrary } from '../native.ts'
import type { WindowHandle } from '../native-windows.ts'
import { CALL_LIST_CODE, type CodeRunner, callListBytes } from './remote-code.ts'
import type { MemoryFunctions, OpenProcess, RemoteMemory } from './remote-memory.ts'

/** A program whose memory this process uses until it ends. */
interface WineProgram {
  readonly process: OpenProcess
  /** A list of calls, and the code that calls them. */
  code?: RemoteMemory
  /** Memory that is shared with it, by its size. */
  readonly blocks: Map<number, RemoteMemory>
}

/** The most calls in a list. */
const MAX_CALLS = 400
const LIST_BYTES = 0x7000
const CODE_BYTES = 0x1000
const CODE_OFFSET = 0x800
const EXECUTE_READ_WRITE = 0x40
const ALL_ACCESS = 0xf001f
const THIS_PROCESS = -1
const SAME_ACCESS = 2

/**
 * Allocates memory in programs under Wine, which is kept until they end. Wine has a program map sections and start threads for
 * others in a signal handler, which may wait for itself for ever. Therefore the thread of a window does it. Only memory that
 * is not shared can be had without that.
 */
export function createWineAllocator(memories: MemoryFunctions, run: CodeRunner) {
  const kernel32 = loadLibrary('kernel32.dll')
  const handle = 'intptr_t'
  const duplicate = kernel32.func<
    (from: number, object: number, to: number, out: Buffer, access: number, inherit: boolean, how: number) => boolean
  >('DuplicateHandle', 'bool', [...[handle, handle, handle, '_Out_ uint8_t *'], 'uint32_t', 'bool', 'uint32_t'])
  const addresses = { map: kernel32.address('MapViewOfFile'), close: kernel32.address('CloseHandle') }
  const programs = new Map<number, WineProgram>()

  const programOf = (pid: number): WineProgram | undefined => {
    for (const [known, { process, blocks }] of programs) {
      if (!process.hasEnded()) continue
      for (const block of blocks.values()) block.close()
      process.close()
      programs.delete(known)
    }
    const process = programs.has(pid) ? undefined : memories.open(pid)
    if (process) programs.set(pid, { process, blocks: new Map() })
    return programs.get(pid)
  }
  /** Runs work that calls functions in a program. One that did not answer may still use the memory, so that is not used again. */
  const calling = <T>(program: WineProgram, work: () => T): T => {
    try {
      return work()
    } catch (thrown) {
      delete program.code
      program.blocks.clear()
      throw thrown
    }
  }
  const codeOf = (program: WineProgram): RemoteMemory | undefined => {
    if (!program.code) {
      const code = memories.ownBlock(program.process, CODE_BYTES, EXECUTE_READ_WRITE)
      code?.write(CALL_LIST_CODE, CODE_OFFSET)
      if (code) program.code = code
    }
    return program.code
  }
  const createBlock = (program: WineProgram, code: RemoteMemory, hwnd: WindowHandle, bytes: number) => {
    const { process } = program
    const codeAddress = code.address + BigInt(CODE_OFFSET)
    const shared = memories.share(LIST_BYTES + bytes, {
      map(section, length) {
        const out = Buffer.alloc(8)
        if (!duplicate(THIS_PROCESS, section, process.handle, out, 0, false, SAME_ACCESS)) return undefined
        const there = out.readBigUInt64LE()
        const [address = 0n] = run(hwnd, codeAddress, code, [
          { address: addresses.map, args: [there, ALL_ACCESS, 0, 0, length] },
          { address: addresses.close, args: [there] },
        ])
        return address === 0n ? undefined : address
      },
      // The system frees it when the program ends.
      unmap: () => {},
    })
    if (!shared) return undefined
    const list = memories.sharedBlock(process, shared, 0, LIST_BYTES)
    const block: RemoteMemory = {
      ...memories.sharedBlock(process, shared, LIST_BYTES, bytes),
      call(from, calls) {
        if (callListBytes(calls.length) > LIST_BYTES) throw new RangeError(`more than ${MAX_CALLS} calls`)
        return calling(program, () => run(from, codeAddress, list, calls))
      },
    }
    program.blocks.set(bytes, block)
    return block
  }

  /** Empty memory of a size in the program of a window, until the next call with this size. */
  return (pid: number, hwnd: WindowHandle, bytes: number): RemoteMemory | undefined => {
    const program = programOf(pid)
    if (!program) return undefined
    if (!program.process.is64) return memories.ownBlock(program.process, bytes)
    const code = codeOf(program)
    const block = program.blocks.get(bytes) ?? (code && calling(program, () => createBlock(program, code, hwnd, bytes)))
    block?.write(Buffer.alloc(bytes))
    return block && { ...block, close: () => {} }
  }
}

/** The functions about menus that are called, with numbers and addresses as arguments. */
export type MenuFunction = 'GetMenu' | 'GetMenuItemCount' | 'GetMenuItemInfoW' | 'GetMenuItemRect'

export interface MenuCall {
  readonly name: MenuFunction
  readonly args: readonly (number | bigint)[]
}

/** Calls functions about menus where the menus are. Addresses in arguments are those of its memory. */
export interface MenuCaller {
  readonly memory: RemoteMemory
  call(calls: readonly MenuCall[]): readonly number[]
  close(): void
}

const MEMORY_BYTES = 0x30000

/** Allocates memory in the program of a window. */
export type AllocateMemory = (pid: number, hwnd: WindowHandle, bytes: number) => RemoteMemory | undefined

/** Creates callers of functions about menus. */
export function createMenuCallers(allocate: AllocateMemory, inProgram: boolean) {
  const user32 = loadLibrary('user32.dll')
  const names: readonly MenuFunction[] = ['GetMenu', 'GetMenuItemCount', 'GetMenuItemInfoW', 'GetMenuItemRect']
  const addresses = new Map(names.map((name) => [name, user32.address(name)]))
  const direct = new Map(
    names.map((name) => [
      name,
      user32.func<(...args: (number | bigint)[]) => number>(name, 'intptr_t', Array(4).fill('intptr_t')),
    ]),
  )

  /** Menus of Windows belong to the desktop, so that functions of this process can read them. */
  const directCaller = (hwnd: WindowHandle): MenuCaller | undefined => {
    const memory = allocate(process.pid, hwnd, MEMORY_BYTES)
    return (
      memory && {
        memory,
        call: (calls) =>
          calls.map(({ name, args }) => direct.get(name)!(...args, ...Array<number>(4 - args.length).fill(0))),
        close: () => memory.close(),
      }
    )
  }

  /** Menus of Wine belong to their program, so the functions are called there. */
  const remoteCaller = (pid: number, hwnd: WindowHandle): MenuCaller | undefined => {
    const memory = allocate(pid, hwnd, MEMORY_BYTES)
    if (!memory?.call) {
      memory?.close()
      return undefined
    }
    const { call } = memory
    return {
      memory,
      call: (calls) =>
        call(
          hwnd,
          calls.map(({ name, args }) => ({ address: addresses.get(name)!, args })),
        ).map(Number),
      close: () => memory.close(),
    }
  }

  return ({ pid, hwnd }: { readonly pid: number; readonly hwnd: WindowHandle }): MenuCaller | undefined =>
    inProgram ? remoteCaller(pid, hwnd) : directCaller(hwnd)
}
