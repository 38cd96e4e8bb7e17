import type { Awaitable } from '../../base/awaitable.ts'

/** What a request asks for, in three goes. What is thrown in one of them comes to `refuse`, which does not throw. */
export interface BatchTask<Done, Written> {
  readonly work: () => Awaitable<Done>
  readonly write: (done: Done) => Written
  readonly send: (written: Written) => unknown
  readonly refuse: (thrown: unknown) => unknown
}

type AnyTask = BatchTask<unknown, unknown>

let waiting: AnyTask[] = []

/**
 * Does a task when all requests at hand have been read. Those that came in together are worked on in their order, then all
 * of them are written, then all are sent, which takes a quarter of the time: between the system calls of reading and
 * answering, what the processor knows of the code is lost. A task that waits for something goes on by itself.
 */
export function runInBatch<Done, Written>(task: BatchTask<Done, Written>): void {
  if (waiting.push(task as AnyTask) === 1) setImmediate(doAll)
}

/** Resolves when those before it are done. */
export const nextBatch = (): Promise<unknown> =>
  new Promise((send, refuse) => runInBatch({ work: nothing, write: nothing, send, refuse }))

const nothing = (): void => {}

/** Stands for what does not go on with the others. */
const LEFT = Symbol('left')

function doAll(): void {
  const tasks = waiting
  waiting = []
  const done = tasks.map(workOn)
  const written = tasks.map((task, place) => (done[place] === LEFT ? LEFT : attempt(task, task.write, done[place])))
  for (const [place, task] of tasks.entries()) if (written[place] !== LEFT) attempt(task, task.send, written[place])
}

function workOn(task: AnyTask): unknown {
  const done = attempt(task, task.work, undefined)
  if (!(done instanceof Promise)) return done
  done.then(task.write).then(task.send).catch(task.refuse)
  return LEFT
}

function attempt<Given>(task: AnyTask, go: (given: Given) => unknown, given: Given): unknown {
  try {
    return go(given)
  } catch (thrown) {
    task.refuse(thrown)
    return LEFT
  }
}
