import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertSamePixels, comparePixels, crop, decode, failShowing } from '../../compare/pixels.ts'
import { inside, isEmpty, nodesOf, overlap } from '../../compare/tree.ts'
import {
  actOnElement,
  fillNameField,
  getElementByName,
  getFrontWindow,
  getTree,
  getWindows,
  parseSuccess,
  requireCapability,
  showScenario,
  toQuery,
} from '../../observer/driver.ts'
import { Bounds, Monitors, Screenshot } from '../../observer/shapes.ts'
import { fail, notOffered } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { check } from '../check.ts'

/** The decoded picture of a window, or of the screen. */
async function shoot(http: HttpProbe, parameters: Readonly<Record<string, string | number>> = {}) {
  const path = `/api/screenshot${toQuery(parameters)}`
  return decode(parseSuccess(await http.get(path), Screenshot).data, path)
}

const FullScreenshot = Screenshot.extend({ width: z.int(), height: z.int() })

/** The decoded full screenshot, and its reported size. */
async function shootFull(http: HttpProbe) {
  const { data, width, height } = parseSuccess(await http.get('/api/full_screenshot'), FullScreenshot)
  return { picture: decode(data, 'the full screenshot'), width, height }
}

check('observer:screenshot:png', async ({ http }) => {
  for (const { index } of await getWindows(http)) {
    const { width, height } = await shoot(http, { window_index: index })
    assert.ok(width > 0 && height > 0)
  }
})

check('observer:screenshot:window', async ({ http }) => {
  for (const { index, bounds } of await getWindows(http)) {
    const { width, height } = await shoot(http, { window_index: index })
    assert.deepEqual({ width, height }, { width: bounds.width, height: bounds.height })
  }
})

check('observer:screenshot:screen', async ({ http }) => {
  const { monitors } = parseSuccess(await http.get('/api/monitors'), Monitors)
  if (monitors.length === 0) notOffered('no monitor is listed')
  const primary = monitors.find((monitor) => monitor.primary) ?? fail('prerequisite: no primary monitor is known')
  const { width, height } = await shoot(http)
  assert.deepEqual({ width, height }, { width: primary.physical_bounds.width, height: primary.physical_bounds.height })
})

check('observer:screenshot:stable', async ({ http }) => {
  const { index } = await getFrontWindow(http)
  assertSamePixels(
    await shoot(http, { window_index: index }),
    await shoot(http, { window_index: index }),
    'nothing happened',
  )
})

check('observer:screenshot:follows', async (context) => {
  const { http } = context
  await showScenario(context)
  const { index, bounds } = await getFrontWindow(http)
  const before = await shoot(http, { window_index: index })
  await fillNameField(http, context.random.word(12))
  const after = await shoot(http, { window_index: index })
  const { bounds: changed, picture } = comparePixels(before, after)
  const inWindow = (box: Bounds) => ({ ...box, x: box.x - bounds.x, y: box.y - bounds.y })
  const field = inWindow((await getElementByName(http, 'Name')).bounds)
  const pictures = { before: { of: before, box: field }, after: { of: after, box: field }, difference: picture }
  if (!changed) failShowing('the picture did not change with the value of the element in the box', pictures)
  if (!overlap(changed, field)) failShowing('what changed in the picture is not where the element is', pictures)
  const list = inWindow((await getElementByName(http, 'Items')).bounds)
  if (overlap(changed, list)) failShowing('the picture changed far away from the element', pictures)
})

check('observer:screenshot:screen-follows', async (context) => {
  const { http } = context
  await showScenario(context)
  const look = async () => [await shoot(http), (await shootFull(http)).picture] as const
  const before = await look()
  await fillNameField(http, context.random.word(12))
  const after = await look()
  for (const [place, name] of ['the picture of the screen', 'the full screenshot'].entries()) {
    const pictures = { before: before[place]!, after: after[place]! }
    if (!comparePixels(pictures.before, pictures.after).bounds)
      failShowing(`${name} did not change with the value of an element on it`, pictures)
  }
})

check('observer:screenshot:behind', async (context) => {
  const { http } = context
  await showScenario(context)
  const windows = await getWindows(http)
  const free = windows.filter(({ bounds, focused }, at) => {
    const others = windows.filter((_, place) => place !== at)
    return !focused && others.every((other) => !overlap(bounds, other.bounds))
  })
  assert.ok(free.length > 0, 'prerequisite: every window behind the focused one touches another')
  const screen = await shoot(http)
  for (const { index, title, bounds } of free)
    assertSamePixels(crop(screen, bounds), await shoot(http, { window_index: index }), `the window "${title}"`)
})

check('observer:screenshot:cropped', async ({ http, random }) => {
  const { window_uid, index, bounds } = await getFrontWindow(http)
  const { tree } = await getTree(http, { window_uid })
  const visible = nodesOf(tree).filter((node) => !isEmpty(node.bounds) && inside(bounds, node.bounds))
  const { id: element_id, bounds: box } = random.pick(visible)
  const answer = await http.get(`/api/screenshot/cropped${toQuery({ window_uid, element_id })}`)
  const cropped = parseSuccess(answer, Screenshot.extend({ source_bbox: Bounds }))
  const part = { ...box, x: box.x - bounds.x, y: box.y - bounds.y }
  const { x, y, width, height } = cropped.source_bbox
  assert.deepEqual({ x, y, width, height }, part)
  const whole = await shoot(http, { window_index: index })
  assertSamePixels(crop(whole, part), decode(cropped.data, answer.what), `the element ${element_id}`)
})

check('observer:screenshot:cropped-follows', async (context) => {
  const { http } = context
  await showScenario(context)
  const { window_uid } = await getFrontWindow(http)
  const { id: element_id } = await getElementByName(http, 'Name')
  const path = `/api/screenshot/cropped${toQuery({ window_uid, element_id })}`
  const look = async () => decode(parseSuccess(await http.get(path), Screenshot).data, path)
  const before = await look()
  await fillNameField(http, context.random.word(12))
  const after = await look()
  if (!comparePixels(before, after).bounds)
    failShowing('the cropped picture did not change with the value of its element', { before, after })
})

check('observer:screenshot:full', async ({ http }) => {
  const { picture, width, height } = await shootFull(http)
  assert.deepEqual({ width, height }, { width: picture.width, height: picture.height })
})

const VisibleAreas = z.looseObject({ visible_regions: z.array(Bounds) })

async function visibleRegions(http: HttpProbe, parameters: Parameters<typeof toQuery>[0]) {
  return parseSuccess(await http.get(`/api/visible_areas${toQuery(parameters)}`), VisibleAreas).visible_regions
}

check('observer:visible:regions', async ({ http }) => {
  for (const { index, bounds } of await getWindows(http)) {
    const regions = await visibleRegions(http, { window_index: index })
    regions.forEach((region, place) => {
      assert.ok(inside(bounds, region), 'a region sticks out of its window')
      for (const other of regions.slice(place + 1)) assert.ok(!overlap(region, other), 'two regions overlap')
    })
  }
})

check('observer:visible:follows', async (context) => {
  const { http } = context
  await showScenario(context)
  const front = await getFrontWindow(http)
  const covered =
    (await getWindows(http)).find(({ focused, bounds }) => !focused && overlap(bounds, front.bounds)) ??
    fail('prerequisite: the focused window covers no other')
  const look = () => visibleRegions(http, { window_uid: covered.window_uid })
  const before = await look()
  parseSuccess(
    await http.get(`/api/bring_to_foreground${toQuery({ window_uid: covered.window_uid })}`),
    z.looseObject({}),
  )
  assert.notDeepEqual(await look(), before, `the visible area of "${covered.title}" is the same in front`)
})

const Ocr = z.looseObject({ words: z.array(z.looseObject({ text: z.string().min(1), bbox: Bounds })) })

async function wordsIn(http: HttpProbe, window_uid: string) {
  await requireCapability(http, 'ocr')
  return parseSuccess(await http.get(`/api/ocr${toQuery({ window_uid })}`, { timeoutMs: 20_000 }), Ocr).words
}

check('observer:ocr:words', async ({ http }) => {
  const { window_uid, bounds } = await getFrontWindow(http)
  const words = await wordsIn(http, window_uid)
  assert.ok(words.length > 0, 'no word is read')
  const picture = { x: 0, y: 0, width: bounds.width, height: bounds.height }
  for (const word of words) assert.ok(inside(picture, word.bbox), `"${word.text}" lies outside the picture`)
})

check('observer:ocr:follows', async (context) => {
  const { http } = context
  await showScenario(context)
  await fillNameField(http)
  const { window_uid } = await getFrontWindow(http)
  const look = async () => (await wordsIn(http, window_uid)).map(({ text }) => text)
  const before = await look()
  await actOnElement(http, 'click', { selector: 'Button[name="Save"]' })
  assert.notDeepEqual(await look(), before, 'the words read from another screen are the same')
})
