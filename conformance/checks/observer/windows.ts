import assert from 'node:assert/strict'
import * as z from 'zod'
import { getWindows, parseSuccess } from '../../observer/driver.ts'
import { Health, Windows } from '../../observer/shapes.ts'
import { check } from '../check.ts'

check('observer:windows:count', async ({ http }) => {
  const { count, windows } = parseSuccess(await http.get('/api/windows'), Windows)
  assert.equal(count, windows.length)
  assert.deepEqual(
    windows.map((window) => window.index),
    windows.map((_, place) => place),
  )
})

check('observer:windows:order', async ({ http }) => {
  const windows = await getWindows(http)
  const focused = windows.filter((window) => window.focused)
  const others = windows.filter((window) => !window.focused)
  assert.deepEqual(windows.slice(0, focused.length), focused, 'the focused window is not the first')
  const titles = others.map((window) => window.title)
  const fold = (text: string) => text.toLowerCase()
  const sorted = (key: (text: string) => string) =>
    [...titles].sort((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0))
  const isSorted = [fold, String].some((key) => JSON.stringify(sorted(key)) === JSON.stringify(titles))
  assert.ok(isSorted, `the titles are not in alphabetical order: ${titles.join(' | ')}`)
})

check('observer:windows:focus', async ({ http }) => {
  const focused = (await getWindows(http)).filter((window) => window.focused)
  assert.ok(focused.length <= 1, `${focused.length} windows are focused`)
})

check('observer:windows:uids', async ({ http }) => {
  const uids = async () => (await getWindows(http)).map((window) => window.window_uid)
  const [once, again] = [await uids(), await uids()]
  assert.equal(new Set(once).size, once.length, 'a window_uid repeats')
  assert.deepEqual(again, once, 'the uids changed by themselves')
})

check('observer:windows:mock', async ({ http }) => {
  const { is_mock } = parseSuccess(await http.get('/api/windows'), Windows)
  const { adapter } = parseSuccess(await http.get('/api/healthz'), Health)
  assert.equal(is_mock, z.string().parse(adapter) === 'MockAdapter')
})
