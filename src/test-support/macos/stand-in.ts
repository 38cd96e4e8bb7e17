import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import koffi from 'koffi'
import type { MacLibraries } from '../../adapters/macos/native.ts'

/** The stand-in for the libraries of macOS, and what it has counted. */
export interface MacStandIn {
  readonly libraries: MacLibraries
  /** Objects that have not been released. */
  live(): number
  /** Objects that were released too often, or used after their release. */
  faults(): number
  /** The actions and events so far, a line each. */
  journal(): readonly string[]
  /** Restores the tree, and forgets the journal. */
  reset(): void
  /** Whether the program answers. */
  hang(isHung: boolean): void
  close(): void
}

const SOURCE = fileURLToPath(new URL('../../../fixtures/macos/accessibility-stand-in.c', import.meta.url))

/** Compiles the stand-in with `cc` and loads it. */
export function buildMacStandIn(): MacStandIn {
  const folder = mkdtempSync(join(tmpdir(), 'mac-stand-in-'))
  const file = join(folder, 'stand-in.so')
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', file, SOURCE])
  const library = koffi.load(file)
  const text = library.func('const char *standInJournal()')
  return {
    libraries: { coreFoundation: file, applicationServices: file },
    live: library.func('long standInLive()'),
    faults: library.func('long standInFaults()'),
    journal: () => String(text()).split('\n').slice(0, -1),
    reset: library.func('void standInReset()'),
    hang: library.func('void standInHang(bool)'),
    close: () => rmSync(folder, { recursive: true }),
  }
}
