import { expect, it } from 'vitest'
import { createRestApp, openDesktop } from '../testing.ts'

// Rules such as [OB5] are stated in src/observer/SPEC.md.

const APP = `
states:
  a:
    windows:
      - uid: app
        title: A
        tree: {role: Window, name: A, children: [{role: Edit, id: e, name: E}, {role: Button, id: go, name: Go}]}
`

it('[OB5] reports ignored arguments, with a suggestion for each', async () => {
  const desk = openDesktop({ scenario: APP })
  const ignoredBy = async (tool: string, args: object) => (await desk.tryCall(tool, args)).ignored_arguments
  expect(await ignoredBy('find_element', { selector: 'Edit', cuont: 2, windw_index: 0 })).toEqual([
    { name: 'cuont' },
    { name: 'windw_index', did_you_mean: 'window_index' },
  ])
  expect(await ignoredBy('click_element', { selector: 'Button', dryrun: true })).toEqual([
    { name: 'dryrun', did_you_mean: 'dry_run' },
  ])
  expect(await ignoredBy('find_element', { selector: 'Edit' })).toBeUndefined()
  expect(await ignoredBy('load_scenario', { scenario: 'none' })).toBeUndefined()
  const refused = await desk.tryCall('find_element' as string, { selectr: 'Edit' })
  expect([refused.ok, refused.ignored_arguments]).toEqual([false, [{ name: 'selectr', did_you_mean: 'selector' }]])
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${'x'.repeat(200)}${at}`, 1]))
  expect(await ignoredBy('list_windows', many)).toEqual(Array.from({ length: 20 }, () => ({ name: 'x'.repeat(100) })))
})

it('[OB5] reports ignored arguments over every route, and for each action of a step', async () => {
  const desk = openDesktop({ scenario: APP })
  const app = await createRestApp(desk)
  const get = async (url: string) => (await app.inject({ url })).json().ignored_arguments
  const post = async (url: string, payload: object) =>
    (await app.inject({ method: 'POST', url, payload })).json().ignored_arguments
  const depth = [{ name: 'dpth', did_you_mean: 'depth' }]
  expect(await get('/api/structure?dpth=2')).toEqual(depth)
  expect(await get('/api/tool/get_window_structure?dpth=2&depth=1')).toEqual(depth)
  expect(await get('/api/structure?depth=1')).toBeUndefined()
  expect(await post('/api/element/click', { selector: 'Edit', buton: 'left' })).toEqual([
    { name: 'buton', did_you_mean: 'button' },
  ])
  expect(await post('/api/action', { action: 'type', value: 'x', vale: 'y' })).toEqual([
    { name: 'vale', did_you_mean: 'value' },
  ])
  expect(await post('/api/action', { action: 'type', value: 'x' })).toBeUndefined()
  expect(await post('/api/action', { action: 'click_at', x: 1, y: 1, clicks: 2 })).toEqual([{ name: 'clicks' }])
  const step = await desk.call('session_step', {
    action: { tool: 'click_element', args: { selector: 'Edit', cont: 1 } },
  })
  expect(step.info).toMatchObject({ action: { ignored_arguments: [{ name: 'cont', did_you_mean: 'count' }] } })
  await app.close()
})
