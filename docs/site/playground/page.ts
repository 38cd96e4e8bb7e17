import { yaml } from '@codemirror/lang-yaml'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorView } from '@codemirror/view'
import { basicSetup } from 'codemirror'
import { chordOf } from '../../../src/viewer/model/keys.ts'
import { fromFragment, toFragment } from './link.ts'
import type { Answer, DesktopState, Problem, Request, WrittenScenario } from './messages.ts'
import { TOUR } from './tour.ts'

/** The page: an editor, a desktop, and what agents and oracles see. */

const byId = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind

const gallery = byId<HTMLSelectElement>('gallery')
const seed = byId<HTMLInputElement>('seed')
const style = byId<HTMLSelectElement>('style')
const variant = byId<HTMLInputElement>('variant')
const screen = byId<HTMLCanvasElement>('screen')

/** How long after the last change of the text, of typed letters and of the wheel they are sent. */
const CHECK_MS = 250
const TYPING_MS = 200
const WHEEL_MS = 80

const worker = new Worker('worker.js', { type: 'module' })
const waiting: ((answer: Answer) => void)[] = []
/** The worker hears nothing before its modules are there. */
const isListening = new Promise<void>((resolve) =>
  worker.addEventListener('message', ({ data }: MessageEvent<Answer | 'ready'>) => {
    if (data === 'ready') resolve()
    else waiting.shift()?.(data)
  }),
)
worker.addEventListener('error', ({ message }) => say(`The worker has ended: ${message}. Load the page again.`))

async function ask(request: Request): Promise<Answer> {
  await isListening
  const answer = new Promise<Answer>((resolve) => waiting.push(resolve))
  worker.postMessage(request)
  return answer
}

/** The file that includes are read beside; that of the gallery, if the text is from there. */
let file = '/backlot/scenarios/scenario.yaml'
let timer: ReturnType<typeof setTimeout> | undefined

let tourStep = 0

const editor = new EditorView({
  parent: byId('editor'),
  extensions: [
    basicSetup,
    yaml(),
    lintGutter(),
    EditorView.contentAttributes.of({ 'aria-label': 'Scenario file' }),
    EditorView.updateListener.of(({ docChanged }) => {
      if (!docChanged) return
      byId('shared').textContent = ''
      keep(textOf())
      clearTimeout(timer)
      timer = setTimeout(() => void open(), CHECK_MS)
    }),
  ],
})
const textOf = (): string => editor.state.doc.toString()

/** What was written is there after the page is loaded again, and in the steps of the tour. */
const KEPT = 'backlot-playground'
const writtenInTour = new Map<number, string>()
function keep(text: string): void {
  if (!byId('tour-panel').hidden) writtenInTour.set(tourStep, text)
  sessionStorage.setItem(KEPT, text)
}

function setText(text: string): void {
  editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } })
  clearTimeout(timer)
}

const written = (): WrittenScenario => ({
  text: textOf(),
  seed: /^\d{1,10}$/.test(seed.value) ? Number(seed.value) : undefined,
  variant: [
    ...(style.value === '' ? [] : [`style=${style.value}`]),
    ...variant.value.split(/[\s,]+/).filter((choice) => choice !== ''),
  ],
})

/** Shows the choices of a link beside its scenario. */
function setWritten(shared: WrittenScenario): void {
  seed.value = shared.seed === undefined ? '' : String(shared.seed)
  const chosen = shared.variant.find((choice) => choice.startsWith('style='))
  style.value = chosen?.slice('style='.length) ?? ''
  variant.value = shared.variant.filter((choice) => choice !== chosen).join(' ')
  setText(shared.text)
}

/** Opens what is written, after what is being opened. Returns whether the desktop shows it now. */
let opening: Promise<boolean> = Promise.resolve(false)
function open(): Promise<boolean> {
  clearTimeout(timer)
  opening = opening.then(openWritten)
  return opening
}

async function openWritten(): Promise<boolean> {
  const opened = written()
  const { text } = opened
  const answer = await ask({ ask: 'open', file, ...opened })
  show(answer)
  if (answer.kind !== 'state') return false
  const { problems } = { problems: [], ...(await ask({ ask: 'warnings' })) }
  if (textOf() === text) showProblems(problems)
  return textOf() === text
}

function say(text: string): void {
  const verdict = byId('verdict')
  verdict.textContent = text
  verdict.className = ''
}

function show(answer: Answer): void {
  if (answer.kind === 'failure') say(answer.message)
  if (answer.kind === 'state') {
    screen.classList.remove('stale')
    showState(answer.state)
  }
  if (answer.kind !== 'problems') return
  showProblems(answer.problems)
  screen.classList.add('stale')
  byId<HTMLButtonElement>('play').disabled = true
  say('The scenario has problems; the desktop is the last one that had none.')
}

function showProblems(problems: readonly Problem[]): void {
  const { doc } = editor.state
  const place = ({ line, column }: Problem) => {
    const found = doc.line(Math.min(Math.max(line, 1), doc.lines))
    return { from: Math.min(found.from + column - 1, found.to), to: found.to }
  }
  const marks = problems.map(
    (problem): Diagnostic => ({
      ...place(problem),
      severity: problem.isWarning ? 'warning' : 'error',
      message: problem.message,
    }),
  )
  editor.dispatch(setDiagnostics(editor.state, marks))
  const list = byId('problems')
  list.replaceChildren(
    ...problems.map((problem) => {
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = `${problem.line}:${problem.column} ${problem.isWarning ? 'warning: ' : ''}${problem.message}`
      button.addEventListener('click', () => {
        editor.dispatch({ selection: { anchor: place(problem).from }, scrollIntoView: true })
        editor.focus()
      })
      const item = document.createElement('li')
      item.className = problem.isWarning ? 'warning' : 'error'
      item.append(button)
      return item
    }),
  )
  if (problems.length === 0) list.append(Object.assign(document.createElement('li'), { textContent: 'None.' }))
}

let shownSize = { width: 1280, height: 800 }

function showState(state: DesktopState): void {
  const { width, height } = state
  shownSize = { width, height }
  if (screen.width !== width || screen.height !== height) Object.assign(screen, { width, height })
  screen.getContext('2d')!.putImageData(new ImageData(state.pixels, width, height), 0, 0)
  document.documentElement.dataset.painted = String(performance.now())
  byId('task').textContent = state.task
  byId('outline').textContent = state.outline
  document.documentElement.dataset.hashes = JSON.stringify(state.hashes)
  const { passes, why, hasOracles } = state.verdict
  const verdict = byId('verdict')
  verdict.className = passes ? 'passes' : ''
  const failed = state.solution?.failure === undefined ? '' : `; ${state.solution.failure}`
  verdict.textContent = passes
    ? 'Solved: every oracle passes.'
    : hasOracles
      ? `Not solved: ${why}${failed}`
      : `No oracle yet${failed}.`
  const play = byId<HTMLButtonElement>('play')
  play.disabled = state.solution === undefined || state.solution.isDone
  byId('log').replaceChildren(
    ...state.log.map(({ tool, args, failure }) => {
      const item = document.createElement('li')
      item.append(Object.assign(document.createElement('code'), { textContent: `${tool} ${args}` }))
      if (failure !== undefined) {
        item.className = 'failed'
        item.append(` ${failure}`)
      }
      return item
    }),
  )
  byId('log').lastElementChild?.scrollIntoView({ block: 'nearest' })
}

/** What a person does goes to the desktop in order. */
let acts: Promise<unknown> = Promise.resolve()
function act(tool: string, args: Readonly<Record<string, unknown>>): void {
  acts = acts.then(async () => show(await ask({ ask: 'call', tool, args })))
}

const pending = {
  text: '',
  turns: 0,
  at: { x: 0, y: 0 },
  typing: 0,
  wheel: 0,
  pressed: undefined as undefined | { x: number; y: number },
}

function sendTyped(): void {
  clearTimeout(pending.typing)
  const { text } = pending
  pending.text = ''
  if (text !== '') act('type_text', { text })
}

function pointOf({ clientX, clientY }: MouseEvent) {
  const shown = screen.getBoundingClientRect()
  const pixel = (at: number, across: number, count: number) =>
    Math.min(Math.max(Math.floor((at / across) * count), 0), count - 1)
  return {
    x: pixel(clientX - shown.left, shown.width, shownSize.width),
    y: pixel(clientY - shown.top, shown.height, shownSize.height),
  }
}

const DRAG_PX = 6

screen.addEventListener('pointerdown', (event) => {
  sendTyped()
  pending.pressed = event.button === 0 ? pointOf(event) : undefined
})
screen.addEventListener('pointerup', (event) => {
  const { pressed } = pending
  pending.pressed = undefined
  if (!pressed) return
  const at = pointOf(event)
  if (Math.hypot(at.x - pressed.x, at.y - pressed.y) < DRAG_PX) act('click_at', at)
  else act('mouse_drag', { start_x: pressed.x, start_y: pressed.y, end_x: at.x, end_y: at.y })
})
screen.addEventListener('contextmenu', (event) => {
  event.preventDefault()
  act('click_at', { ...pointOf(event), button: 'right' })
})
screen.addEventListener(
  'wheel',
  (event) => {
    event.preventDefault()
    pending.turns -= Math.sign(event.deltaY)
    pending.at = pointOf(event)
    clearTimeout(pending.wheel)
    pending.wheel = window.setTimeout(() => {
      const { turns, at } = pending
      pending.turns = 0
      if (turns !== 0) act('scroll', { ...at, clicks: turns })
    }, WHEEL_MS)
  },
  { passive: false },
)
screen.addEventListener('keydown', (event) => {
  // Tab leaves the picture, so that nobody who uses the keyboard is caught in it.
  if (event.key === 'Tab' || event.isComposing) return
  const chord = chordOf(event)
  if (!chord) return
  event.preventDefault()
  if ('text' in chord) {
    pending.text += chord.text
    clearTimeout(pending.typing)
    pending.typing = window.setTimeout(sendTyped, TYPING_MS)
    return
  }
  sendTyped()
  act('press_key', { keys: chord.keys })
})

byId('start').addEventListener('click', () => void open())
for (const choice of [seed, style, variant]) choice.addEventListener('change', () => void open())
byId('play').addEventListener('click', async () => {
  if (!(await open())) return
  const button = byId<HTMLButtonElement>('play')
  for (button.disabled = false; !button.disabled; ) show(await ask({ ask: 'step' }))
})
byId('share').addEventListener('click', async () => {
  history.replaceState(undefined, '', await toFragment(written()))
  const copied = await navigator.clipboard?.writeText(location.href).then(
    () => true,
    () => false,
  )
  byId('shared').textContent = copied ? 'The link is copied.' : 'The link is in the address bar.'
})

async function openGallery(name: string): Promise<void> {
  const answer = await ask({ ask: 'gallery', name })
  if (answer.kind !== 'text') return show(answer)
  file = answer.file
  setText(answer.text)
  await open()
}
gallery.addEventListener('change', () => {
  if (gallery.value === '') return
  showTour(undefined)
  void openGallery(gallery.value)
})

function showTour(step: number | undefined): void {
  byId('tour-panel').hidden = step === undefined
  byId('tour').setAttribute('aria-expanded', String(step !== undefined))
  if (step === undefined) return
  tourStep = step
  const { title, text, scenario } = TOUR[step]!
  byId('tour-title').textContent = `${step + 1} of ${TOUR.length}: ${title}`
  byId('tour-text').textContent = text
  byId<HTMLButtonElement>('tour-back').disabled = step === 0
  byId<HTMLButtonElement>('tour-next').disabled = step === TOUR.length - 1
  gallery.value = ''
  file = '/backlot/scenarios/scenario.yaml'
  setText(writtenInTour.get(step) ?? scenario)
  void open()
}
byId('tour').addEventListener('click', () => showTour(byId('tour-panel').hidden ? 0 : undefined))
byId('tour-back').addEventListener('click', () => showTour(tourStep - 1))
byId('tour-next').addEventListener('click', () => showTour(tourStep + 1))
byId('tour-end').addEventListener('click', () => {
  showTour(undefined)
  byId('tour').focus()
})

interface Choices {
  /** Names of scenarios, by the heading that they stand under. */
  readonly scenarios: Readonly<Record<string, readonly string[]>>
  readonly styles: readonly string[]
}
const choices: Choices = await (await fetch('choices.json')).json()
for (const [heading, names] of Object.entries(choices.scenarios)) {
  const group = Object.assign(document.createElement('optgroup'), { label: heading })
  group.append(...names.map((name) => new Option(name.replace(/^.*\//, ''), name)))
  gallery.append(group)
}
style.append(...choices.styles.map((name) => new Option(name, name)))
const kept = sessionStorage.getItem(KEPT)
try {
  const shared = await fromFragment(location.hash)
  if (shared) {
    setWritten(shared)
    await open()
  } else if (kept === null) showTour(0)
  else {
    setText(kept)
    await open()
  }
} catch (thrown) {
  say((thrown as Error).message)
}
