import { readRecording } from '../../model/read-recording.ts'
import { RECORDING_SOURCES, type Recording } from '../../model/recording.ts'
import { blockOfPage, fileOf, requestOf } from '../ui/data.ts'
import { createPictures, createTileStore, type Pictures } from './pictures.ts'

const { blocks, paths } = RECORDING_SOURCES

/** A recording, and its pictures. */
export interface LoadedRecording {
  readonly recording: Recording
  readonly pictures: Pictures
}

/** What the page shows. */
export interface LoadedPage {
  readonly main: LoadedRecording
  /** The recording to compare it with. */
  readonly other: LoadedRecording | undefined
  /** Whether there is a server, which can open a step. */
  readonly isServed: boolean
}

/** The memory that decoded tiles may take, in bytes. */
const TILE_BYTES = 64 * 2 ** 20

/**
 * Reads the recordings from the page if it is one file, otherwise from its server.
 * @param onMissing Called with the number of tiles that cannot be shown, whenever it grows.
 * @throws A `RecordingProblem` for a file that is damaged, a `RequestError` if the server does not give it.
 */
export async function loadPage(onMissing: (count: number) => void): Promise<LoadedPage> {
  const block = blockOfPage(blocks.recording)
  const isServed = block === undefined
  const recording = readRecording(block ?? (await requestOf(paths.recording)))
  const other = isServed ? await requestOf(paths.other) : blockOfPage(blocks.other)
  const files = blockOfPage(blocks.tiles) as Readonly<Record<string, string>> | undefined
  const read = isServed
    ? (hash: string) => fileOf(`${paths.tiles}${hash}.png`)
    : async (hash: string) => blobOf(files?.[hash])
  const known = other === undefined || other === null ? undefined : readRecording(other)
  const tiles = createTileStore(read, mostTiles([recording, ...(known ? [known] : [])]), () =>
    onMissing(tiles.missing()),
  )
  return {
    main: { recording, pictures: createPictures(recording, tiles, 'main') },
    other: known && { recording: known, pictures: createPictures(known, tiles, 'other') },
    isServed,
  }
}

/** How many tiles are kept: all of four pictures, and more if they are small. */
function mostTiles(recordings: readonly Recording[]): number {
  const amounts = recordings.map(({ tables }) => {
    const perFrame = tables.frames.reduce((most, { tiles }) => Math.max(most, tiles.length), 1)
    return Math.max(4 * perFrame, Math.floor(TILE_BYTES / (tables.tileSize ** 2 * 4)))
  })
  return Math.max(...amounts)
}

function blobOf(base64: string | undefined): Blob {
  if (base64 === undefined) throw new RangeError('the page has no such tile')
  return new Blob([Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))], { type: 'image/png' })
}
