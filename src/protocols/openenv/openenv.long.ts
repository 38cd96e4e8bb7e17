import { afterEach, expect, it } from 'vitest'
import { cleanUp } from '../../../test/support/protocols/cleanup.ts'
import { playLoginAtOnce, serveOpenenv } from '../../../test/support/protocols/openenv.ts'

// Rules such as [OE10] are stated in README.md beside this file. A list of tasks reads the whole gallery, which takes seconds.

afterEach(cleanUp)

it('[OE1] 64 episodes are played at once', async () => {
  const { url, bugs } = await serveOpenenv()
  expect(await playLoginAtOnce(url, 64)).toEqual(Array.from({ length: 64 }, (_, seed) => [1, seed]))
  expect(bugs).toEqual([])
})

it('[OE10] tasks are those of the gallery, and a reset starts the episode of one', async () => {
  const { url } = await serveOpenenv()
  const post = async (path: string, body: object) => {
    const reply = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: JSON of a server
    return { status: reply.status, body: (await reply.json()) as any }
  }
  const ask = async (path: string, body: object) => (await post(`/backlot/${path}`, body)).body
  const { num_tasks: count } = await ask('num_tasks', { split: 'test' })
  const { tasks } = await ask('tasks', { split: 'test' })
  const seeds = new Set(tasks.map(({ seed }: { readonly seed: number }) => seed))
  expect([tasks.length, [...seeds]]).toEqual([count, Array.from({ length: 20 }, (_, at) => 120 + at)])
  expect(await ask('task_range', { split: 'test', start: -2 })).toMatchObject({ tasks: tasks.slice(-2) })
  const { task } = await ask('task', { split: 'test', index: 3 })
  expect(task).toEqual(tasks[3])
  const { metadata } = (await post('/reset', { split: 'test', index: 3, observe: 'none' })).body
  expect(metadata).toMatchObject({ scenario: task.scenario, seed: task.seed })
  const refusals = await Promise.all([
    post('/backlot/task', { split: 'test', index: count }),
    post('/backlot/task', { split: 'dev', index: 0 }),
    post('/other/task', { split: 'test', index: 0 }),
  ])
  expect(refusals.map(({ status }) => status)).toEqual([400, 400, 404])
})
