import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { type SyntheticComputer, syntheticComputer } from '../adapters/synthetic.ts'
import { virtualClock } from '../base/clock.ts'
import { loadScenario } from '../scenario/load.ts'
import type { Work } from './client.ts'
import { stepOf } from './desktops.ts'
import { formOf } from './form.ts'
import { load, start, stop, warmUp } from './load.ts'
import { atLeast, type Line, median } from './measure.ts'
import { BOXES, CLIENTS, STEP, STEP_WITH_PIXELS, STEP_WITH_TREE } from './step.ts'

const CHROMIUM = '/usr/bin/chromium'
const ROUNDS = 4
const STEPS = 25
const DESKTOPS = 1000
const STEPS_IN_PROCESS = 40_000

const PAGE = `<!doctype html><title>Bench</title><form>${Array.from(
  { length: BOXES },
  (_, index) => `<label><input type=checkbox id=b${index}> Option ${index}</label>`,
).join('<br>')}</form>`

/**
 * The same form as a synthetic desktop over REST and as a page in Chromium, driven by Playwright and by raw CDP: steps per
 * second of the processor time of all processes involved on the serving side. These peers are real programs; ours is a
 * synthetic one. Each runs alone for its turn of a round, since a browser that only waits slows others down, and others it.
 */
export async function benchPeers(): Promise<readonly Line[]> {
  if (!existsSync(CHROMIUM))
    return [{ what: 'Chromium is not installed: apt-get install chromium', measured: 'left out' }]
  const rounds: Rates[] = []
  const desktops = openDesktops()
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({
      process: await second(() => inProcess(desktops)),
      step: await served(STEP),
      tree: await served(STEP_WITH_TREE),
      pixels: await served(STEP_WITH_PIXELS),
      ...(await browsed()),
    })
  const middle = (name: Name) => median(rounds.map((rates) => rates[name]))
  return linesOf(Object.fromEntries(NAMES.map((name) => [name, middle(name)])) as Rates)
}

const NAMES = ['process', 'step', 'tree', 'pixels', 'playwright', 'playwrightPixels', 'cdp', 'cdpPixels'] as const
type Name = (typeof NAMES)[number]
type Rates = Readonly<Record<Name, number>>

/** What is measured the second time, when it has had its time to warm up. */
async function second<T>(measure: () => T | Promise<T>): Promise<T> {
  await measure()
  return measure()
}

async function served(work: Work): Promise<number> {
  const server = await start('served', 'form', String(BOXES))
  await warmUp(server, work, CLIENTS)
  const { perCpuSecond } = await load(server, work, CLIENTS)
  stop(server)
  return perCpuSecond
}

async function browsed(): Promise<Pick<Rates, 'playwright' | 'playwrightPixels' | 'cdp' | 'cdpPixels'>> {
  const { browser, page, cdp } = await openPeers()
  try {
    let turn = 0
    const at = async () => {
      const box = await page.locator(`#b${turn++ % BOXES}`).boundingBox()
      return { x: box!.x + box!.width / 2, y: box!.y + box!.height / 2 }
    }
    const places = await Promise.all(Array.from({ length: BOXES }, at))
    const place = () => places[turn++ % BOXES]!
    const click = () => {
      const { x, y } = place()
      return page.mouse.click(x, y)
    }
    return {
      playwright: await drive(async () => {
        await click()
        await page.locator('body').ariaSnapshot()
      }),
      playwrightPixels: await drive(async () => {
        await click()
        await page.locator('body').ariaSnapshot()
        await page.screenshot()
      }),
      cdp: await drive(async () => {
        await rawClick(cdp, place())
        await cdp.send('Accessibility.getFullAXTree')
      }),
      cdpPixels: await drive(async () => {
        await rawClick(cdp, place())
        await cdp.send('Accessibility.getFullAXTree')
        await cdp.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true })
      }),
    }
  } finally {
    await browser.close()
  }
}

interface Peers {
  readonly browser: Browser
  readonly page: Page
  readonly cdp: CDPSession
}

async function openPeers(): Promise<Peers> {
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
  })
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.setContent(PAGE)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Accessibility.enable')
  return { browser, page, cdp }
}

/** Steps per second of the processor time of this process: a click, the fingerprint of the tree and what changed in it. */
function inProcess(desktops: readonly SyntheticComputer[]): number {
  const before = process.cpuUsage()
  for (let turn = 0; turn < STEPS_IN_PROCESS; turn++)
    stepOf(desktops[turn % desktops.length]!, Math.floor(turn / desktops.length) % BOXES)
  const { user, system } = process.cpuUsage(before)
  return STEPS_IN_PROCESS / ((user + system) / 1e6)
}

function openDesktops(): readonly SyntheticComputer[] {
  const scenario = loadScenario(formOf(BOXES), { file: 'bench.yaml' })
  return Array.from({ length: DESKTOPS }, () => syntheticComputer({ scenario, clock: virtualClock() }))
}

async function rawClick(cdp: CDPSession, { x, y }: { x: number; y: number }): Promise<void> {
  const button = { x, y, button: 'left', clickCount: 1 } as const
  await cdp.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...button })
  await cdp.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button })
}

/** Steps per second of the processor time that this process and the browser's spent, once they are warm. */
const drive = (step: () => Promise<void>): Promise<number> =>
  second(async () => {
    const before = cpuOfTree(process.pid)
    for (let count = 0; count < STEPS; count++) await step()
    return STEPS / (cpuOfTree(process.pid) - before)
  })

/** Seconds of processor time of a process and of all below it, by what the kernel counts. */
function cpuOfTree(root: number): number {
  const children = new Map<number, number[]>()
  const ticks = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const fields = statOf(pid)
    if (!fields) continue
    children.set(Number(fields[1]), [...(children.get(Number(fields[1])) ?? []), pid])
    ticks.set(pid, Number(fields[11]) + Number(fields[12]))
  }
  const sum = (pid: number): number =>
    (children.get(pid) ?? []).reduce((total, child) => total + sum(child), ticks.get(pid) ?? 0)
  return sum(root) / 100
}

/** The fields of /proc/PID/stat after the name; undefined when the process has ended. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

const linesOf = (rates: Rates): readonly Line[] => [
  {
    what: `step in process, ${DESKTOPS} desktops in turn`,
    measured: `${rates.process.toFixed(0)}/s`,
    target: 'per CPU-second',
  },
  { what: 'REST step with what changed', measured: `${rates.step.toFixed(0)}/s`, target: `${CLIENTS} clients` },
  { what: 'REST step with the tree', measured: `${rates.tree.toFixed(0)}/s` },
  { what: 'REST step with the tree and a new screenshot', measured: `${rates.pixels.toFixed(0)}/s` },
  { what: 'Playwright click + ariaSnapshot', measured: `${rates.playwright.toFixed(0)}/s` },
  { what: 'Playwright click + ariaSnapshot + screenshot', measured: `${rates.playwrightPixels.toFixed(0)}/s` },
  { what: 'raw CDP click + getFullAXTree', measured: `${rates.cdp.toFixed(0)}/s` },
  { what: 'raw CDP click + getFullAXTree + captureScreenshot', measured: `${rates.cdpPixels.toFixed(0)}/s` },
  atLeast('step in process beside raw CDP without pixels', rates.process / rates.cdp, 1000),
  atLeast('REST step without pixels beside Playwright', rates.step / rates.playwright, 200),
  atLeast('REST step with pixels beside Playwright', rates.pixels / rates.playwrightPixels, 50),
  atLeast('REST step with pixels beside raw CDP', rates.pixels / rates.cdpPixels, 30),
]
