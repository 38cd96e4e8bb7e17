import assert from 'node:assert/strict'
import * as z from 'zod'
import { ErrorBody, Recording, Size } from '../../osworld/contract.ts'
import { act, eventually, sendForm, textOf } from '../../osworld/driver.ts'
import {
  activeTitles,
  attributeOf,
  boxOf,
  centreOf,
  findNamed,
  readTree,
  type Tree,
} from '../../osworld/tree-driver.ts'
import { notOffered } from '../../probe/failure.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

/** The titles of two windows that stay open. */
const titlesOf = ({ profile }: TestContext): readonly [string, string] =>
  profile.known('windows', z.tuple([z.string().min(4), z.string().min(4)]))

const activate = ({ http }: TestContext, window_name: string, more: object = {}) =>
  http.post('/setup/activate_window', { window_name, ...more })

const close = ({ http }: TestContext, window_name: string, more: object = {}) =>
  http.post('/setup/close_window', { window_name, ...more })

/** Those of the windows of the profile that are active, once it is this one only. */
const activeWindows = (context: TestContext, expected: string): Promise<readonly string[]> =>
  eventually(
    async () => activeTitles(await readTree(context)).filter((title) => titlesOf(context).includes(title)),
    (titles) => titles.length === 1 && titles[0] === expected,
  )

check('osworld:window:activate', async (context) => {
  const titles = titlesOf(context)
  for (const title of [...titles, titles[0]]) {
    textOf(await activate(context, title.slice(1, -1).toUpperCase()))
    assert.deepEqual(await activeWindows(context, title), [title], 'another window is active')
  }
})

check('osworld:tree:windows', async (context) => {
  const [one, other] = titlesOf(context)
  for (const title of [other, one]) {
    textOf(await activate(context, title))
    assert.deepEqual(await activeWindows(context, title), [title])
  }
})

check('osworld:window:strict', async (context) => {
  const [one, other] = titlesOf(context)
  textOf(await activate(context, one, { strict: true }))
  assert.deepEqual(await activeWindows(context, one), [one], 'the whole title is not found')
  for (const wrong of [other.slice(0, -1), other.toUpperCase()]) {
    await activate(context, wrong, { strict: true })
    assert.deepEqual(await activeWindows(context, one), [one], `${wrong} is found`)
  }
})

const hasWindow = (tree: Tree, title: string): boolean =>
  tree.elements.some(
    (one) => ['frame', 'window', 'dialog'].includes(one.tag) && attributeOf(tree, one, 'name') === title,
  )

check('osworld:window:close', async (context) => {
  const { opener, title } = context.profile.known('closable', z.strictObject({ opener: z.string(), title: z.string() }))
  const isOpen = async () => hasWindow(await readTree(context), title)
  if (!(await isOpen())) {
    const tree = await readTree(context)
    const { x, y } = centreOf(boxOf(tree, findNamed(tree, opener)) ?? { x: 0, y: 0, width: 0, height: 0 })
    await act(context, `pyautogui.click(${x}, ${y})`)
    assert.ok(await eventually(isOpen, (open) => open), `prerequisite: "${opener}" does not open "${title}"`)
  }
  textOf(await close(context, title))
  assert.equal(await eventually(isOpen, (open) => !open), false, 'the window is still open')
})

check('osworld:window:unnamed', async ({ http }) => {
  for (const path of ['/setup/activate_window', '/setup/close_window'])
    assert.equal((await http.post(path, { strict: true })).status, 400, path)
})

check('osworld:window:unknown', async (context) => {
  const [one, other] = titlesOf(context)
  const name = context.random.word(12)
  for (const answer of [await activate(context, name), await close(context, name)])
    assert.ok([200, 404].includes(answer.status), `${answer.what} answers ${answer.status}`)
  const tree = await readTree(context)
  assert.ok(hasWindow(tree, one) && hasWindow(tree, other), 'a window was closed')
})

const MAX_FRAME_PX = 120

check('osworld:window:size', async (context) => {
  const { name, title } = context.profile.known('class', z.strictObject({ name: z.string(), title: z.string() }))
  const { width, height } = (await sendForm(context, '/window_size', { app_class_name: name })).json(Size)
  const tree = await readTree(context)
  const box = boxOf(tree, findNamed(tree, title))
  assert.ok(box, `prerequisite: no window of the tree has the title "${title}"`)
  // The tree may count the title bar and the shadow of a window.
  const isNear = Math.abs(width - box.width) <= MAX_FRAME_PX && Math.abs(height - box.height) <= MAX_FRAME_PX
  assert.ok(isNear, `the size is ${width} x ${height}, and in the tree ${box.width} x ${box.height}`)
})

check('osworld:window:size-unnamed', async (context) => {
  assert.equal((await sendForm(context, '/window_size', { name: 'x' })).status, 400)
})

const Opened = z.strictObject({ path: z.string(), title: z.string() })
const Launched = z.strictObject({ command: z.array(z.string()).min(1), title: z.string() })

/** Runs a request and fails unless a window shows then. Closes the window if the request opened it. */
async function assertShows(context: TestContext, title: string, request: () => Promise<unknown>): Promise<void> {
  const isOpen = async () => hasWindow(await readTree(context), title)
  const wasOpen = await isOpen()
  await request()
  assert.ok(await eventually(isOpen, (open) => open), `no window "${title}" shows`)
  if (!wasOpen) await close(context, title)
}

check('osworld:open:file', async (context) => {
  if (!context.profile.has('opens')) notOffered('the profile has no file that a program opens')
  const { path, title } = context.profile.known('opens', Opened)
  await assertShows(context, title, async () => textOf(await context.http.post('/setup/open_file', { path })))
})

check('osworld:open:missing', async ({ http, random }) => {
  assert.equal((await http.post('/setup/open_file', { path: `/no/${random.word(12)}.txt` })).status, 404)
})

check('osworld:open:unnamed', async ({ http }) => {
  assert.equal((await http.post('/setup/open_file', {})).status, 400)
})

check('osworld:launch:program', async (context) => {
  if (!context.profile.has('launches')) notOffered('the profile has no program to launch')
  const { command, title } = context.profile.known('launches', Launched)
  await assertShows(context, title, async () => textOf(await context.http.post('/setup/launch', { command })))
})

check('osworld:launch:missing', async ({ http, random }) => {
  const answer = await http.post('/setup/launch', { command: [`no-${random.word(12)}`] })
  assert.equal(answer.status, 500, answer.text)
  answer.json(ErrorBody)
})

/** Ends a recording that an earlier check may have left. */
const endRecording = ({ http }: TestContext) => http.post('/end_recording', undefined, { timeoutMs: 30_000 })

/** Starts a recording. Recording needs an encoder, which a server without one says by 500. */
async function startRecording(context: TestContext): Promise<void> {
  await endRecording(context)
  const answer = await context.http.post('/start_recording')
  if (answer.status === 500) notOffered(`the server does not record: ${answer.text.slice(0, 200)}`)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.json(Recording).status, 'success')
}

const RECORDING = { timeoutMs: 60_000 } as const

check(
  'osworld:recording:video',
  async (context) => {
    await startRecording(context)
    await act(context, 'pyautogui.moveTo(200, 200); time.sleep(1); pyautogui.moveTo(300, 300); time.sleep(1)')
    const answer = await endRecording(context)
    assert.equal(answer.status, 200, answer.text.slice(0, 200))
    assert.equal(answer.bytes.subarray(4, 8).toString('latin1'), 'ftyp', 'the bytes are not those of an MP4 file')
  },
  RECORDING,
)

check(
  'osworld:recording:twice',
  async (context) => {
    await startRecording(context)
    const again = await context.http.post('/start_recording')
    await endRecording(context)
    assert.equal(again.status, 400, again.text)
  },
  RECORDING,
)

check(
  'osworld:recording:none',
  async (context) => {
    await endRecording(context)
    assert.equal((await endRecording(context)).status, 400)
  },
  RECORDING,
)
