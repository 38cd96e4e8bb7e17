import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import koffi from 'koffi'
import type { MacLibraries } from '../../../src/adapters/macos/native.ts'
import type { CapturableMonitor, NativeImage, NativeScreenshots } from '../../../src/adapters/screen-capture.ts'

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
  /** Whether the operator allows screenshots. */
  refuseCapture(isRefused: boolean): void
  /** Screenshots of the displays and windows: each pixel has a colour by its place. */
  readonly screenshots: NativeScreenshots
  close(): void
}

const SOURCE = fileURLToPath(new URL('../../../fixtures/macos/accessibility-stand-in.c', import.meta.url))

/** A picture whose red value is the column and whose green value is the row, both modulo 256. */
const imageOf = (width: number, height: number): NativeImage => ({
  width,
  height,
  async toRaw() {
    const pixels = Buffer.alloc(width * height * 4)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        pixels.writeUInt32BE((x % 256) * 0x100_0000 + (y % 256) * 0x1_0000 + 0x80, (y * width + x) * 4)
    return pixels
  },
})

const monitor = (id: number, x: number, width: number, height: number, scale: number): CapturableMonitor => ({
  id: () => id,
  x: () => x,
  y: () => 0,
  width: () => width,
  height: () => height,
  scaleFactor: () => scale,
  isPrimary: () => x === 0,
  captureImage: async () => imageOf(width * scale, height * scale),
})

/** Two displays, the first with two pixels per point, and the form and the dialog. */
const SCREENSHOTS: NativeScreenshots = {
  Monitor: { all: () => [monitor(1, 0, 1280, 800, 2), monitor(2, 1280, 1920, 1080, 1)] },
  Window: {
    all: () => [
      { id: () => 7, captureImage: async () => imageOf(800, 840) },
      { id: () => 8, captureImage: async () => imageOf(520, 240) },
    ],
  },
}

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
    refuseCapture: library.func('void standInRefuseCapture(bool)'),
    screenshots: SCREENSHOTS,
    close: () => rmSync(folder, { recursive: true }),
  }
}
