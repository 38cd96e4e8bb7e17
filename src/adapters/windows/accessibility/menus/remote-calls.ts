import { loadLibrary } from '../../native.ts'
import type { WindowHandle } from '../../window-list/native-window.ts'
import type { RemoteMemory } from '../remote-memory.ts'

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
