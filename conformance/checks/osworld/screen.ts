import assert from 'node:assert/strict'
import * as z from 'zod'
import { comparePixels, crop, type Pixels } from '../../compare/pixels.ts'
import { Terminal } from '../../osworld/contract.ts'
import { act, eventually, type Point, pointerOf, printed, screenSize, takeScreenshot } from '../../osworld/driver.ts'
import {
  attributeOf,
  boxOf,
  centreOf,
  findNamed,
  hasState,
  platformOf,
  readControl,
  readMarkup,
  readTree,
  type Tree,
} from '../../osworld/tree-driver.ts'
import { notOffered } from '../../probe/failure.ts'
import { walkXml } from '../../probe/xml.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'
import { otherPoint } from './pointer.ts'

check('osworld:ready:probe', async ({ withToken, target }) => {
  const http = withToken(target.token)
  assert.equal((await http.get('/screenshot')).status, 200, 'GET /screenshot')
  const terminal = await http.get('/terminal')
  if (terminal.status === 500 && (await http.get('/platform')).text !== 'Linux') return
  assert.equal(terminal.status, 200, 'GET /terminal')
})

check('osworld:platform:name', async ({ http }) => {
  const answer = await http.get('/platform')
  assert.equal(answer.status, 200)
  assert.match(answer.headers['content-type'] ?? '', /^text\//)
  assert.match(answer.text, /^(Linux|Windows|Darwin)$/)
})

check('osworld:platform:program', async (context) => {
  const platform = await platformOf(context)
  assert.equal((await printed(context, 'import platform; print(platform.system())')).trim(), platform)
})

const PNG_START = '89504e470d0a1a0a'

check('osworld:screen:picture', async ({ http }) => {
  const answer = await http.get('/screenshot')
  assert.equal(answer.headers['content-type'], 'image/png')
  assert.equal(answer.bytes.subarray(0, 8).toString('hex'), PNG_START, 'the bytes are not those of a PNG picture')
})

check('osworld:screen:dimensions', async (context) => {
  const { width, height } = await takeScreenshot(context)
  const size = await screenSize(context)
  assert.deepEqual({ width, height }, { width: size.width, height: size.height })
})

check('osworld:screen:size', async (context) => {
  const { width, height } = await screenSize(context)
  const size = await printed(context, 'import pyautogui; print(pyautogui.size())')
  assert.equal(size, `Size(width=${width}, height=${height})\n`)
})

/** The surroundings of a point that a pointer covers. */
function around(picture: Pixels, { x, y }: Point): Pixels {
  const [left, top] = [Math.max(0, x - 4), Math.max(0, y - 4)]
  const [width, height] = [Math.min(20, picture.width - left), Math.min(20, picture.height - top)]
  return crop(picture, { x: left, y: top, width, height })
}

check('osworld:screen:pointer', async (context) => {
  const [one, other] = [await moveAway(context), await moveAway(context)]
  const picture = await takeScreenshot(context)
  await act(context, `pyautogui.moveTo(${one.x}, ${one.y})`)
  const shows = (moved: Pixels) =>
    [one, other].every((point) => comparePixels(around(picture, point), around(moved, point)).bounds !== undefined)
  const moved = await eventually(() => takeScreenshot(context), shows)
  assert.ok(shows(moved), 'the pictures of two pointer positions are equal there')
})

/** Moves the pointer elsewhere, and returns the point. */
async function moveAway(context: TestContext): Promise<Point> {
  const point = await otherPoint(context)
  await act(context, `pyautogui.moveTo(${point.x}, ${point.y})`)
  return point
}

check('osworld:screen:follows', async (context) => {
  const { box } = await readControl(context, 'toggle')
  const { x, y } = centreOf(box)
  await act(context, `pyautogui.moveTo(${x}, ${y}); pyautogui.click()`)
  const before = crop(await takeScreenshot(context), box)
  await act(context, 'pyautogui.click()')
  const isOther = (picture: Pixels) => comparePixels(before, picture).bounds !== undefined
  const after = await eventually(async () => crop(await takeScreenshot(context), box), isOther)
  assert.ok(isOther(after), 'the picture does not show the check box changing')
})

check('osworld:pointer:position', async (context) => {
  const point = await moveAway(context)
  assert.deepEqual(await pointerOf(context), point)
})

check('osworld:pointer:program', async (context) => {
  const { x, y } = await pointerOf(context)
  assert.equal(await printed(context, 'import pyautogui\nprint(pyautogui.position())'), `Point(x=${x}, y=${y})\n`)
})

/** The text of the focused terminal in the tree. */
function terminalIn(tree: Tree): string | null {
  const programs = tree.root.children.filter((one) => attributeOf(tree, one, 'name') === 'gnome-terminal-server')
  const frames = programs.flatMap(({ children }) => children).filter((one) => hasState(tree, one, 'active'))
  const inside = frames.flatMap((frame) => [...walkXml(frame)]).map(({ element }) => element)
  const focused = inside.filter((one) => one.tag === 'terminal' && hasState(tree, one, 'focused'))
  return focused.length === 1 ? focused[0]!.text.trimEnd() : null
}

check('osworld:terminal:text', async (context) => {
  const compare = async (): Promise<string | null> => {
    const answer = await context.http.get('/terminal')
    assert.equal(answer.status, 200, answer.text)
    const { output } = answer.json(Terminal)
    assert.equal(output, terminalIn(await readTree(context)), 'the answer is not the text in the tree')
    return output
  }
  if ((await platformOf(context)) !== 'Linux') notOffered('the document has terminals on Linux only')
  const { x, y } = centreOf((await readControl(context, 'field')).box)
  await act(context, `pyautogui.click(${x}, ${y})`)
  assert.equal(await compare(), null, 'a terminal is focused')
  if (!context.profile.has('terminal')) return
  const tree = await readTree(context)
  const box = boxOf(tree, findNamed(tree, context.profile.known('terminal', z.string())))
  assert.ok(box, 'prerequisite: the terminal has no box in the tree')
  const inside = centreOf(box)
  await act(context, `pyautogui.click(${inside.x}, ${inside.y})`)
  assert.notEqual(await compare(), null, 'the terminal has no text')
})

const READERS = 6

check(
  'osworld:company:readers',
  async (context) => {
    const reads = Array.from({ length: READERS }, () => [
      takeScreenshot(context),
      readMarkup(context),
      pointerOf(context),
    ])
    await Promise.all(reads.flat())
  },
  { pool: 'dangerous', timeoutMs: 60_000 },
)

check(
  'osworld:error:route',
  async ({ http, random }) => {
    assert.equal((await http.get(`/${random.word(12)}`)).status, 404)
    assert.equal((await http.post(`/${random.word(12)}`, {})).status, 404)
  },
  { pool: 'dangerous' },
)

check(
  'osworld:error:method',
  async ({ http }) => {
    for (const [method, path] of [
      ['GET', '/execute'],
      ['GET', '/file'],
      ['POST', '/screenshot'],
      ['DELETE', '/accessibility'],
    ] as const) {
      const { status } = await http.send({ method, path, deliberate: true })
      assert.ok(status === 404 || status === 405, `${method} ${path} answers ${status}`)
    }
  },
  { pool: 'dangerous' },
)
