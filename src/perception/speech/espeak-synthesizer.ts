import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { SpeechSynthesizer } from '../perception.ts'

const PROGRAM = 'espeak-ng'
const HEADER_BYTES = 44
const PIECE_BYTES = 22_050

/** The voice of `espeak-ng` where it is installed, else `other`. */
export function espeakSynthesizer(other: SpeechSynthesizer, program: string = PROGRAM): SpeechSynthesizer {
  let missing = false
  return {
    name: `${program}, else ${other.name}`,
    async *speak(text) {
      const sound = missing ? undefined : await say(program, text)
      missing ||= sound === undefined
      if (!sound) return yield* other.speak(text)
      for (let at = HEADER_BYTES; at < sound.length; at += PIECE_BYTES)
        yield { pcm: sound.subarray(at, Math.min(at + PIECE_BYTES, sound.length & ~1)), sampleRate: 22_050 }
    },
  }
}

/** A WAV file of 22,050 Hz, the rate of the program. Undefined when it cannot be run. */
async function say(program: string, text: string): Promise<Buffer | undefined> {
  const child = spawn(program, ['--stdout', '--stdin'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const pieces: Buffer[] = []
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece))
  child.stdin.on('error', () => {})
  child.stdin.end(text)
  try {
    const [code] = await once(child, 'close')
    return code === 0 ? Buffer.concat(pieces) : undefined
  } catch {
    return undefined
  }
}
