import { Fault } from '../../../base/fault.ts'
import { type Rect, sameRect } from '../../../desktop/model/geometry.ts'
import type { Picture } from '../../../paint/picture.ts'
import { assertCapturable, captureArea } from '../../screen-capture.ts'
import { pictureFromBgrx } from '../capture.ts'
import type { DesktopWindow } from '../desktop-backend.ts'
import type { WaylandConnection, WaylandObject } from './connection.ts'

/** Pictures of outputs through wlr-screencopy. */
export interface OutputCapture {
  area(area: Rect): Promise<Picture>
  window(window: DesktopWindow, isUncovered: boolean): Promise<Picture>
}

/** An output with its place in logical pixels. */
export interface PlacedOutput {
  readonly name: string
  readonly bounds: Rect
}

const MANAGER_VERSION = 3
const OUTPUT_VERSION = 4
const BYTES_PER_PIXEL = 4
const UPSIDE_DOWN = 1
/** The formats of shared memory whose bytes are blue, green, red and one that is ignored. */
const BGRX_FORMATS: ReadonlySet<number> = new Set([0, 1])
const MAX_FRAME_MS = 2000

/** Opens pictures of all outputs. Undefined when the compositor offers none. `placed` returns where the outputs are. */
export function openOutputCapture(
  connection: WaylandConnection,
  placed: () => Promise<readonly PlacedOutput[]>,
): OutputCapture | undefined {
  const manager = connection.bind('zwlr_screencopy_manager_v1', MANAGER_VERSION)
  const memory = connection.bind('wl_shm', 1)
  if (!manager || !memory) return undefined
  const outputs = new Map<string, WaylandObject<'wl_output'>>()
  const seen = new Set<number>()
  const bindOutputs = async () => {
    const fresh = connection.globals.filter(
      ({ interfaceName, name }) => interfaceName === 'wl_output' && !seen.has(name),
    )
    if (fresh.length === 0) return
    for (const global of fresh) {
      seen.add(global.name)
      const output = connection.bindGlobal(global, 'wl_output', OUTPUT_VERSION)
      output.on('name', (name) => outputs.set(name as string, output))
    }
    await connection.sync()
  }

  const capture = async (name: string): Promise<Picture> => {
    await bindOutputs()
    const output = outputs.get(name)
    if (!output) throw new Fault('PlatformUnsupported', `the compositor does not offer the output ${name}`)
    const frame = manager.send<'zwlr_screencopy_frame_v1'>('capture_output', 0, output)
    let offered:
      | { readonly format: number; readonly width: number; readonly height: number; readonly stride: number }
      | undefined
    let flags = 0
    frame.on('buffer', (format, width, height, stride) => {
      offered ??= {
        format: Number(format),
        width: Number(width),
        height: Number(height),
        stride: Number(stride),
      }
    })
    frame.on('flags', (value) => {
      flags = Number(value)
    })
    await connection.sync()
    if (!offered || !BGRX_FORMATS.has(offered.format))
      throw new Fault('PlatformUnsupported', `the compositor offers pictures in the format ${offered?.format} only`)
    const { width, height, stride, format } = offered
    const size = stride * height
    const file = connection.share(size)
    const pool = memory.send<'wl_shm_pool'>('create_pool', { fd: file.fd }, size)
    const buffer = pool.send<'wl_buffer'>('create_buffer', 0, width, height, stride, format)
    try {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Fault('Timeout', `the compositor took no picture within ${MAX_FRAME_MS} ms`))
        }, MAX_FRAME_MS)
        const end = (act: () => void) => {
          clearTimeout(timer)
          act()
        }
        frame.on('ready', () => end(resolve))
        frame.on('failed', () =>
          end(() => reject(new Fault('PlatformUnsupported', 'the compositor could not take a picture'))),
        )
        frame.send('copy', buffer)
      })
      return pictureFromBgrx(
        width,
        height,
        packedRows(file.read(size), { width, height, stride, isFlipped: (flags & UPSIDE_DOWN) !== 0 }),
      )
    } finally {
      file.close()
      if (!connection.ended) {
        buffer.send('destroy')
        pool.send('destroy')
        frame.send('destroy')
      }
    }
  }

  const area = async (wanted: Rect): Promise<Picture> => {
    assertCapturable(wanted)
    const monitors = await placed()
    const whole = monitors.find(({ bounds }) => sameRect(bounds, wanted))
    if (whole) {
      const picture = await capture(whole.name)
      // Pictures of a scaled output have more pixels than it has logical ones.
      if (picture.width === wanted.width && picture.height === wanted.height) return picture
    }
    return captureArea(
      wanted,
      monitors.map(({ name, bounds }) => ({ bounds, capture: () => capture(name) })),
    )
  }
  return {
    area,
    async window({ bounds }, isUncovered) {
      if (isUncovered) return area(bounds)
      throw new Fault(
        'WindowOccluded',
        'the window is covered, and this compositor gives pictures of what is visible only; bring_to_foreground raises it',
      )
    },
  }
}

interface Layout {
  readonly width: number
  readonly height: number
  readonly stride: number
  readonly isFlipped: boolean
}

/** The rows of a picture, top down and without padding. */
export function packedRows(bytes: Buffer, { width, height, stride, isFlipped }: Layout): Buffer {
  const rowBytes = width * BYTES_PER_PIXEL
  if (stride === rowBytes && !isFlipped) return bytes
  const rows = Buffer.alloc(rowBytes * height)
  for (let row = 0; row < height; row++) {
    const from = (isFlipped ? height - 1 - row : row) * stride
    bytes.copy(rows, row * rowBytes, from, from + rowBytes)
  }
  return rows
}
