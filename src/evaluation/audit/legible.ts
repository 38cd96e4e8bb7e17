import { Fault } from '../../base/fault.ts'
import { isNamed } from '../../base/strings.ts'
import { memorySession } from '../../compose/memory-session.ts'
import { playSolution } from '../../compose/play-solution.ts'
import { isAction, oncePerSolution } from '../../compose/verify/recorded-solution.ts'
import { type Rect, unite } from '../../desktop/model/geometry.ts'
import { crop, type Picture, resize, type TextRun } from '../../paint/picture.ts'
import type { Ocr } from '../../perception/perception.ts'
import type { ProgramCall } from '../../scenario/solution.ts'
import { decidingWords, enteredTexts, isWritten, textsOnScreen, writtenForms } from './secrets.ts'

/** A value that a solution enters and that the task does not name, with the places where pictures before show it whole. */
interface PicturedValue {
  readonly value: string
  readonly places: readonly PicturedPlace[]
}

/** A part of a picture, with the form of the value that it shows. */
interface PicturedPlace {
  readonly form: string
  readonly picture: Picture
  readonly bounds: Rect
}

/** Shorter values are read by chance. */
const MIN_CHARACTERS = 3

/** Plays a solution, and finds each value that it enters in the pictures of the screen before. */
export const picturedValues = oncePerSolution(async (scenario, solution): Promise<readonly PicturedValue[]> => {
  const desktop = memorySession(scenario)
  const shown: string[] = []
  const pictures = new Set<Picture>()
  const found = new Map<string, PicturedValue>()
  const look = async (planned: ProgramCall): Promise<ProgramCall> => {
    shown.push(...textsOnScreen(desktop))
    pictures.add(await desktop.computer.screenshot({ screen: true }))
    const values = isAction(planned) || planned.tool === 'finish' ? enteredTexts(planned) : []
    for (const value of values.flatMap((text) => readPartsOf(text, scenario.task ?? '', shown)))
      if (!found.has(value)) {
        const forms = writtenForms(value)
        const places = [...pictures].flatMap((picture) => forms.flatMap((form) => placeOf(picture, form) ?? []))
        found.set(value, { value, places })
      }
    return planned
  }
  for await (const { failure } of playSolution(desktop, solution, look)) if (failure !== undefined) break
  return [...found.values()]
})

/** The text as a whole if a tree before has it, else its numbers and names that trees have and the task does not. */
function readPartsOf(text: string, task: string, shown: readonly string[]): readonly string[] {
  const isRead = (part: string): boolean =>
    part.length >= MIN_CHARACTERS && !isWritten(task, part) && shown.some((each) => isWritten(each, part))
  const whole = text.trim()
  if (isWritten(task, whole)) return []
  if (isRead(whole)) return [whole]
  return decidingWords(whole).filter(isRead)
}

/** Where a picture shows a form of a value as a whole. A word that is cut with an ellipsis does not count. */
function placeOf(picture: Picture, form: string): PicturedPlace | undefined {
  const runs = picture.text ?? []
  const lower = form.toLowerCase().split(/\s+/)
  for (const [index, run] of runs.entries()) {
    // A value may go on in the lines below.
    let text = run.text
    for (let end = index; end < runs.length && end < index + MAX_LINES; end++) {
      if (end > index) text += ` ${runs[end]!.text}`
      const whole = text.replace(/\S*…/g, '…').split(/\s+/).join(' ')
      if (!isNamed(whole, lower.join(' '))) continue
      return {
        form,
        picture,
        bounds: runs
          .slice(index, end + 1)
          .map(boundsOf)
          .reduce(unite),
      }
    }
  }
  return undefined
}

const MAX_LINES = 3

const boundsOf = ({ bounds }: TextRun): Rect => bounds

/** The scales at which a value has to be legible. */
const SCALES = [1, 0.75]
const MARGIN_PX = 6
/** Of the places where a value is shown, so many are read. */
const MAX_PLACES = 3

/** The largest scale at which the pixels of no place give a value; undefined if it is legible at all scales. */
export async function illegibleScale(ocr: Ocr, { places }: PicturedValue): Promise<number | undefined> {
  for (const scale of SCALES) {
    let isLegible = false
    for (const place of places.slice(0, MAX_PLACES))
      if (!isLegible) {
        const letters = lettersOf(await readPlace(ocr, place, scale))
        // The lines of a value may be read in another order.
        isLegible = place.form.split(/\s+/).every((word) => letters.includes(lettersOf(word)))
      }
    if (!isLegible) return scale
  }
  return undefined
}

async function readPlace(ocr: Ocr, { picture, bounds }: PicturedPlace, scale: number): Promise<string> {
  const part = crop(picture, {
    x: bounds.x - MARGIN_PX,
    y: bounds.y - MARGIN_PX,
    width: bounds.width + 2 * MARGIN_PX,
    height: bounds.height + 2 * MARGIN_PX,
  })
  const scaled = resize(part, Math.round(part.width * scale), Math.round(part.height * scale))
  const words = await ocr.read(scaled)
  return words.map(({ text }) => text).join(' ')
}

/** Letters and digits alone, without what recognition confuses: accents, the letter O and zero, and strokes. */
const lettersOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('o', '0')
    .replace(/[il|!]/g, '1')
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Whether text recognition is not installed. */
export const isMissingOcr = (thrown: unknown): thrown is Fault =>
  thrown instanceof Fault && thrown.code === 'PlatformUnsupported'
