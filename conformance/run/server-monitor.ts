import type { Check } from '../checks/check.ts'
import type { Frame } from '../probe/frame.ts'
import type { Circumstances } from './options.ts'
import type { Finding } from './results.ts'
import { greeting, PROBES } from './run-check.ts'

/** One loss of the server under test. */
export interface Death {
  /** The checks that were talking to the server. */
  readonly during: readonly string[]
  /** What was sent last before the first sign of the loss; known when one check was alone. */
  readonly request?: string
  /** What the health probe met. */
  readonly silence: string
  readonly restarted: boolean
  /** The check did not end the server each time it was repeated. */
  readonly sometimes?: boolean
  /** The further server that was lost, if it was not the server under test. */
  readonly further?: string
  /** The failure of a check that was alone when the server was lost. */
  readonly finding: Finding
}

/** A check that was carried out, with what went over the wire. */
export interface Carried {
  readonly check: Check
  readonly frames: readonly Frame[]
  /** Why it failed. */
  readonly why?: string | undefined
  /** When it began, as `performance.now()` counts. */
  readonly startedAt?: number
}

/** Notices when the server under test is lost, names what was going on, and starts it again if it knows how to. */
export interface Guard {
  readonly deaths: readonly Death[]
  /** The server was lost and could not be started again. */
  readonly gone: boolean
  /** How often the server was lost so far. */
  readonly losses: number
  /** Probes the server after a check and those that ran beside it; gives the server's death when it is lost. */
  probe(noticed: Carried, beside: readonly Check[]): Promise<Death | undefined>
  /** Notes that a check does not end the server each time. */
  doubt(check: Check): void
  /** Notes a check that passed without a probe. */
  ended(carried: Carried): void
  /** Waits until no probe or restart is under way. */
  settled(): Promise<void>
}

export function guardOf(circumstances: Circumstances): Guard {
  const deaths: Death[] = []
  let gone = false
  let last: Promise<unknown> = Promise.resolve()

  let previous: Carried | undefined
  /** Checks that passed without a probe since the server was last seen alive, with the time they ended. */
  let recent: { readonly check: Check; readonly endedAt: number }[] = []
  let losses = 0

  async function look(noticed: Carried, beside: readonly Check[]): Promise<Death | undefined> {
    if (gone) return undefined
    const further = await lookFurther(noticed, beside)
    if (further) return further
    const silence = await greeting(circumstances, PROBES)
    if (silence === undefined) {
      previous = undefined
      recent = []
      return undefined
    }
    losses++
    // A check that could not even connect came after the loss; the one before it, which was not probed, may be the cause.
    const isInnocent =
      noticed.why?.includes('ECONNREFUSED') && !noticed.frames.some(({ direction }) => direction === 'received')
    const suspect = isInnocent && previous ? previous : noticed
    previous = undefined
    // What ended while the check ran may have left something behind that the server died of.
    const ended = recent.filter(({ endedAt }) => endedAt >= (noticed.startedAt ?? Number.POSITIVE_INFINITY))
    recent = []
    const company = [...new Set([suspect.check, ...beside, ...ended.map(({ check }) => check)])]
    const concerned = company.filter(({ lane }) => lane === 'main' || lane === 'dangerous').map(({ id }) => id)
    const isSure = concerned.length === 1 && concerned[0] === suspect.check.id
    const { frames } = suspect
    const request = isSure ? lastRequest(frames) : undefined
    const restarted = await circumstances.restart().then(
      async () => (await greeting(circumstances)) === undefined,
      () => false,
    )
    gone = !restarted
    const why = `the server was lost${request === undefined ? '' : ` after ${request}`}: ${silence}`
    const finding: Finding = { result: 'failed', why, frames }
    const death = { during: concerned, silence, restarted, finding, ...(request !== undefined && { request }) }
    // A check that kills alone explains the loss it was part of before.
    const explained = deaths.findIndex(
      (one) => one.during.length !== 1 && concerned.length === 1 && one.during.includes(concerned[0]!),
    )
    const again = deaths.findIndex((one) => one.during.length === 1 && concerned.join() === one.during.join())
    if (explained >= 0) deaths[explained] = death
    else if (again >= 0) deaths[again] = death
    else deaths.push(death)
    return death
  }

  /** Looks for further servers and MCP processes that were lost; they are started again when they are needed. */
  async function lookFurther(noticed: Carried, beside: readonly Check[]): Promise<Death | undefined> {
    const [loss] = await circumstances.satellites.lost()
    if (!loss) return undefined
    losses++
    const { check, frames } = noticed
    // Those of a lane of its own go on one at a time, so that nothing else talks to the server.
    const isSure = check.lane === 'satellite' || check.lane === 'mcp'
    const request = isSure ? lastRequest(frames) : undefined
    const { name: further, silence } = loss
    const why = `${further} was lost${request === undefined ? '' : ` after ${request}`}: ${silence}`
    const finding: Finding = { result: 'failed', why, frames }
    const during = isSure ? [check.id] : [check, ...beside].map(({ id }) => id)
    const death = { during, silence, restarted: true, further, finding, ...(request !== undefined && { request }) }
    const again = deaths.findIndex((one) => one.further === further && one.during.join() === during.join())
    if (again >= 0) deaths[again] = death
    else deaths.push(death)
    return death
  }

  return {
    deaths,
    get losses() {
      return losses
    },
    get gone() {
      return gone
    },
    probe: (noticed, beside) => {
      const mine = last.then(() => look(noticed, beside))
      last = mine.catch(() => undefined)
      return mine
    },
    doubt: ({ id }) => {
      const at = deaths.findIndex(({ during }) => during.join() === id)
      if (at >= 0) deaths[at] = { ...deaths[at]!, sometimes: true }
    },
    ended: (carried) => {
      previous = carried
      recent.push({ check: carried.check, endedAt: performance.now() })
    },
    settled: async () => void (await last),
  }
}

/** A loss in a sentence: the check and its request when they are known, else all that was going on. */
export function deathInWords(death: Death): string {
  const { during, request, silence, restarted, sometimes, further = 'the server' } = death
  const often = sometimes ? ', not each time it was repeated' : ''
  const after = request === undefined ? '' : ` after ${request}${often}`
  const unknown = restarted ? 'none of them ends it alone' : 'which of them is the cause takes a start command to tell'
  const alone = during.length === 1 ? '' : `; ${unknown}`
  const next = restarted ? 'it was started again' : 'it was not asked any further'
  return `${further} was lost during ${during.join(', ') || 'a check of a further server'}${after}${alone}; ${next}: ${silence}`
}

/** The frame that was sent last before a socket was cut off or a request got no answer, else the last one. */
export function lastRequest(frames: readonly Frame[]): string | undefined {
  const sent = frames.filter(({ direction }) => direction === 'sent')
  const cut = frames.findIndex(
    ({ direction, title }) => direction === 'received' && /^close (1006|101[1-5])/.test(title),
  )
  const unanswered = sent.find(
    (one) => one.channel === 'http' && !frames.some(({ title }) => title.includes(` to ${one.title}`)),
  )
  const beforeCut = cut < 0 ? undefined : frames.slice(0, cut).findLast(({ direction }) => direction === 'sent')
  const found = beforeCut ?? unanswered ?? sent.at(-1)
  return found && inWords(found)
}

const MAX_REQUEST_LENGTH = 120

function inWords({ title, text, request }: Frame): string {
  const said = (request ? (request.body ?? '') : text).replace(/\s+/g, ' ')
  const short =
    said.length > MAX_REQUEST_LENGTH
      ? `${said.slice(0, MAX_REQUEST_LENGTH)} … (${said.length} characters shown in part)`
      : said
  return `"${[title === 'raw' ? '' : title, short].filter((part) => part !== '').join(' ')}"`
}
