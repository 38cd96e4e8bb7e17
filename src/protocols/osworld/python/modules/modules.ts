import type { Module } from '../value.ts'
import type { ProgramMachine } from './machine.ts'
import { createPyautogui } from './pyautogui.ts'
import { createBase64, createBinascii, createPlatform, createPyperclip, createTime } from './standard.ts'

/** The modules that programs can import, over a machine. */
export const createModules = (machine: ProgramMachine): ReadonlyMap<string, Module> =>
  new Map([
    createPyautogui(machine),
    createTime(machine),
    createPyperclip(machine),
    createPlatform(machine),
    createBase64(),
    createBinascii(),
  ])
