import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDesktop } from '../../../testing.ts'
import { type EncoderSource, ffmpegEncoder, packageEncoder } from './encoders.ts'
import { createScreenRecorder } from './screen-recorder.ts'

// Needs the programs ffmpeg and ffprobe, as the Debian package `ffmpeg` has them.

/** What is not installed, for the title of tests that are skipped. */
const missing = await (async () => {
  if (spawnSync('ffprobe', ['-version']).status !== 0) return ' (not installed: ffprobe)'
  return (await ffmpegEncoder()) === undefined ? ' (not installed: ffmpeg with libx264)' : ''
})()

const probe = (file: Buffer): Record<string, unknown> => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-recording-'))
  try {
    const path = join(folder, 'recording.mp4')
    writeFileSync(path, file)
    const words = '-v error -count_frames -of json -show_entries'.split(' ')
    const asked = 'stream=codec_name,width,height,duration,nb_read_frames,pix_fmt'
    const text = execFileSync('ffprobe', [...words, asked, path], { encoding: 'utf8' })
    return JSON.parse(text).streams[0]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Records the solution of a scenario, with a pause between its steps. */
async function record(encoder: EncoderSource): Promise<{ readonly file: Buffer; readonly durationMs: number }> {
  const desk = openDesktop({ scenario: 'login' })
  const recorder = createScreenRecorder({ encoders: [encoder] })
  await recorder.start()
  const startMs = desk.clock.now()
  const take = async () => recorder.frame(await desk.computer.screenshot({ screen: true }), desk.clock.now())
  await take()
  for (const text of ['a', 'b', 'c']) {
    await desk.locator('Edit "Username"').type(text)
    desk.clock.advance(1000)
    await take()
  }
  desk.clock.advance(500)
  return { file: await recorder.stop(desk.clock.now()), durationMs: desk.clock.now() - startMs }
}

describe.skipIf(missing !== '')(`a recording, read by ffprobe${missing}`, () => {
  it.each([
    ['the package', packageEncoder],
    ['ffmpeg', () => ffmpegEncoder()],
  ] as const)('[OR1] of %s has the duration of the desktop and a picture for each change', async (_, encoder) => {
    const { file, durationMs } = await record(encoder)
    expect(probe(file)).toMatchObject({ codec_name: 'h264', width: 1280, height: 800, nb_read_frames: '4' })
    expect(Number(probe(file).duration)).toBeCloseTo(durationMs / 1000, 1)
  })

  it('[OR7] kills ffmpeg when it is aborted', async () => {
    const encoder = await ffmpegEncoder()
    const stop = new AbortController()
    function* endless() {
      for (let count = 0; ; count++) {
        if (count === 20) stop.abort()
        yield new Uint8Array(64 * 64 * 4)
      }
    }
    const encoding = encoder!.encode({ width: 64, height: 64 }, endless(), stop.signal)
    await expect(encoding).rejects.toMatchObject({ code: 'Timeout' })
  })
})
