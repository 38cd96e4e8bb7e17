import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Sound, SpeechSynthesizer } from './perception.ts'

const SAMPLE_RATE = 22_050
const CHARACTERS_PER_SECOND = 15
const PIECE_SECONDS = 0.5
const LOUDNESS = 8000
/** A pentatonic scale in hertz: any order of these notes is bearable. */
const NOTES = [220, 247.5, 275, 330, 371.25] as const

/** A synthesizer for machines without a voice: one note per character, for the duration of reading aloud. */
export const toneSynthesizer: SpeechSynthesizer = {
  name: 'tones',
  async *speak(text) {
    const perCharacter = Math.round(SAMPLE_RATE / CHARACTERS_PER_SECOND)
    const perPiece = Math.round((PIECE_SECONDS * SAMPLE_RATE) / perCharacter)
    const characters = [...text]
    for (let at = 0; at < characters.length; at += perPiece)
      yield sung(characters.slice(at, at + perPiece), perCharacter)
  },
}

function sung(characters: readonly string[], samplesEach: number): Sound {
  const pcm = new Uint8Array(characters.length * samplesEach * 2)
  const view = new DataView(pcm.buffer)
  for (const [index, character] of characters.entries()) {
    if (character.trim() === '') continue
    const hertz = NOTES[character.codePointAt(0)! % NOTES.length]!
    for (let sample = 0; sample < samplesEach; sample++) {
      // Each note fades in and out, so that it begins without a click.
      const swell = Math.sin((Math.PI * sample) / samplesEach)
      const wave = Math.sin((2 * Math.PI * hertz * sample) / SAMPLE_RATE)
      view.setInt16((index * samplesEach + sample) * 2, Math.round(LOUDNESS * swell * wave), true)
    }
  }
  return { pcm, sampleRate: SAMPLE_RATE }
}

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
