#!/usr/bin/env node
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The file name of the bundled client of desktops beside this file, set by `.ci/bundle.mjs`. */
declare const DESK: string
/** The file name of the bundled program beside this file, set by `.ci/bundle.mjs`. It changes with the program's content. */
declare const SCRIPT: string

/** By then a server has started, and V8 still holds the code compiled for the start. */
const SETTLED_MS = 3000
const BAD_USAGE = 2

const [, self = '', command] = process.argv
if (command === 'desk') await runDesk()
else await runProgram()

/** Runs the client of desktops, which agents call for each step: it loads nothing of the program. */
async function runDesk(): Promise<void> {
  const { desk } = await import(new URL(DESK, import.meta.url).href)
  await desk(process.argv.slice(3), {
    ownFolder: fileURLToPath(new URL('.', import.meta.url)),
    program: [process.execPath, self, 'desk'],
  })
}

async function runProgram(): Promise<void> {
  const { compile } = await import('./compile-cache.ts')
  const file = fileURLToPath(new URL(SCRIPT, import.meta.url))
  const program = compile(file, cacheFolder(file), cacheKey(command))
  setTimeout(program.save, SETTLED_MS).unref()
  if (!program.cached) process.once('exit', (code) => code === BAD_USAGE || program.save())
  const module: { readonly exports: { readonly main?: () => void } } = { exports: {} }
  program.run(module.exports, createRequire(import.meta.url), module, file, dirname(file))
  module.exports.main?.()
}

/** The folder of the compile cache, or undefined when it is off. Uses the environment variables of Node's own module cache. */
function cacheFolder(file: string): string | undefined {
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env
  if (NODE_DISABLE_COMPILE_CACHE === '1') return undefined
  return NODE_COMPILE_CACHE ? join(NODE_COMPILE_CACHE, 'backlot') : join(dirname(file), 'compiled')
}

/** The cache key: each command compiles other parts of the program. */
function cacheKey(command = ''): string {
  return /^[a-z-]+$/.test(command) ? command : '--help'
}
