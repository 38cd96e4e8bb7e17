import type { Sound, SpeechSynthesizer } from '../perception.ts'

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
