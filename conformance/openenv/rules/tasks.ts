import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { assertStatus, notOffered } from '../../probe/failure.ts'
import { changeStatus } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { Split } from '../contract.ts'
import { sources } from '../document.ts'
import { asJson, connect, onAnswerTo, onSuccessOf } from '../driver.ts'

const Tasks = z.looseObject({ tasks: z.array(z.unknown()) })
const Count = z.looseObject({ num_tasks: z.int() })

/** A server may read all its tasks for the first list. */
const FIRST_LIST_MS = 60_000

/** A split with tasks, and the requests about it. */
async function openTasks({ http }: TestContext) {
  const environments = await http.get('/list_environments')
  if (environments.status !== 200) notOffered('the server has no Task API')
  const [name] = environments.json(z.array(z.string()).min(1))
  const splits = await http.get(`/${name}/splits`)
  if (splits.status === 501) notOffered('the environment has no tasks')
  const listed = splits.json(z.array(Split))
  const ask = (path: string, body: object) => http.post(`/${name}/${path}`, body, { timeoutMs: FIRST_LIST_MS })
  for (const { name: split } of listed.toReversed()) {
    const { num_tasks: count } = (await ask('num_tasks', { split })).json(Count)
    if (count > 0) return { split, count, ask }
  }
  return notOffered('no split has tasks')
}

let draws = 0

/** The Task API, which is optional. */
export const taskRules = defineRules('task', {
  count: {
    level: 'SHOULD',
    text: 'A slice of all tasks of a split has as many as num_tasks says.',
    source: sources.tasks,
    basis: { because: 'The list of all tasks may be a preview; the number is that of the whole split.' },
    covers: ['OE-T1', 'OE-T2', 'OE-T3', 'OE-T4', 'OE-T6'],
    timeoutMs: 2 * FIRST_LIST_MS,
    check: async (context) => {
      const { split, count, ask } = await openTasks(context)
      const { tasks } = (await ask('task_range', { split })).json(Tasks)
      assertAgree({ 'the list of tasks': tasks.length, 'the count': count })
      assert.ok(
        (await ask('tasks', { split })).json(Tasks).tasks.length <= count,
        'there are more tasks than num_tasks',
      )
    },
    sabotage: {
      'counts one task more': onSuccessOf('POST /{env_name}/num_tasks', (json) => {
        json.num_tasks++
      }),
    },
  },

  slice: {
    level: 'MUST',
    text: 'A task by its index is the one that the slice from that index has first.',
    source: sources.tasks,
    basis: { states: 'task_range takes an inclusive start and an exclusive stop.' },
    covers: ['OE-T5', 'OE-T6'],
    timeoutMs: 2 * FIRST_LIST_MS,
    check: async (context) => {
      const { split, count, ask } = await openTasks(context)
      const index = Math.min(1, count - 1)
      const { task } = (await ask('task', { split, index })).json(z.looseObject({ task: z.unknown() }))
      const { tasks } = (await ask('task_range', { split, start: index, stop: index + 1 })).json(Tasks)
      assertAgree({ 'the range': tasks, 'the task': [task] })
    },
    sabotage: {
      'slices one task too many': onSuccessOf('POST /{env_name}/task_range', (json, { body }) => {
        if (body.includes('"stop"')) json.tasks.push({})
      }),
    },
  },

  index: {
    level: 'MUST',
    text: 'An index that a split does not have answers 400.',
    source: sources.tasks,
    basis: { states: 'An index out of range answers 400.' },
    covers: ['OE-T5'],
    timeoutMs: 2 * FIRST_LIST_MS,
    check: async (context) => {
      const { split, count, ask } = await openTasks(context)
      assertStatus(await ask('task', { split, index: count }), 400)
    },
    sabotage: { 'finds no task at a wrong index': changeStatus(400, 404) },
  },

  environment: {
    level: 'MUST',
    text: 'The tasks of an unknown environment answer 404.',
    source: sources.tasks,
    basis: { states: 'A name that is not that of the environment answers 404.' },
    covers: ['OE-T2'],
    timeoutMs: 2 * FIRST_LIST_MS,
    check: async (context) => {
      await openTasks(context)
      assertStatus(await context.http.get('/nothing-of-this-name/splits'), 404)
    },
    sabotage: { 'refuses unknown environments': changeStatus(404, 400, ({ path }) => path.endsWith('/splits')) },
  },

  episode: {
    level: 'SHOULD',
    text: 'A reset with a split and an index starts the same episode each time.',
    source: sources.tasks,
    basis: { because: 'An episode of a task is reset(split, index), with the seed of the task or one of the caller.' },
    covers: ['OE-T7'],
    timeoutMs: 2 * FIRST_LIST_MS,
    needs: ['episode:reset'],
    check: async (context) => {
      const { split } = await openTasks(context)
      const observe = async () =>
        asJson((await (await connect(context)).reset({ split, index: 0, seed: 7 })).observation)
      assertAgree({ 'the first reset': await observe(), 'the second reset': await observe() })
    },
    sabotage: {
      'plays tasks as it likes': onAnswerTo('reset', ({ data }, sent) => {
        if (sent.data?.split !== undefined) data.observation.draw = ++draws
      }),
    },
  },
})
