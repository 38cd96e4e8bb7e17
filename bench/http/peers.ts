import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { measureDesktopBytes } from '../desktop/desktops.ts'
import { BOXES, CLIENTS, DESKTOPS, STEP, STEP_WITH_PIXELS, STEP_WITH_TREE } from '../desktop/step-plans.ts'
import { sample, startServer, stepping, stopServer } from '../harness/load.ts'
import type { RequestPlan } from '../harness/load-client.ts'
import { atLeast, median, type ReportLine } from '../harness/measure.ts'

const CHROMIUM = '/usr/bin/chromium'
const ROUNDS = 5
/** The samples per server and round, because the rate of single seconds differs by up to half. */
const SAMPLES = 3
const STEPS = 25
const CONTEXTS = 5

const PAGE = `<!doctype html><title>Bench</title><form>${Array.from(
  { length: BOXES },
  (_, index) => `<label><input type=checkbox id=b${index}> Option ${index}</label>`,
).join('<br>')}</form>`

/**
 * Compares the same form as a synthetic desktop over REST and as a page in Chromium, driven by Playwright and by raw CDP:
 * steps per second of processor time of all serving processes. The peers are real programs, the desktop is synthetic.
 * Each runs alone during its turn of a round, because an idle browser slows others down and is slowed down by them.
 */
export async function benchPeers(): Promise<readonly ReportLine[]> {
  if (!existsSync(CHROMIUM))
    return [{ what: 'Chromium is not installed: apt-get install chromium', measured: 'left out' }]
  const rounds: Rates[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { steps, resets } = await stepping()
    rounds.push({
      process: steps,
      reset: resets,
      step: await served(STEP),
      tree: await served(STEP_WITH_TREE),
      pixels: await served(STEP_WITH_PIXELS),
      shown: await served({ path: '/api/screenshot' }),
      ...(await browsed()),
    })
  }
  const middle = (name: Name) => median(rounds.map((rates) => rates[name]))
  return linesOf(Object.fromEntries(NAMES.map((name) => [name, middle(name)])) as Rates)
}

const OURS = ['process', 'reset', 'step', 'tree', 'pixels', 'shown'] as const
const THEIRS = [
  'playwright',
  'playwrightPixels',
  'playwrightShown',
  'playwrightReset',
  'cdp',
  'cdpPixels',
  'contextBytes',
] as const
const NAMES = [...OURS, ...THEIRS]
type Name = (typeof NAMES)[number]
type Rates = Readonly<Record<Name, number>>

async function served(work: RequestPlan): Promise<number> {
  const server = await startServer('served', 'form', String(BOXES))
  const [rates] = await sample([{ server, work, connections: CLIENTS }], SAMPLES)
  stopServer(server)
  return median(rates!.map(({ perCpuSecond }) => perCpuSecond))
}

async function browsed(): Promise<Pick<Rates, (typeof THEIRS)[number]>> {
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
      playwrightShown: await drive(async () => void (await page.screenshot())),
      cdp: await drive(async () => {
        await rawClick(cdp, place())
        await cdp.send('Accessibility.getFullAXTree')
      }),
      cdpPixels: await drive(async () => {
        await rawClick(cdp, place())
        await cdp.send('Accessibility.getFullAXTree')
        await cdp.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true })
      }),
      // Last, because it replaces the page.
      playwrightReset: await drive(() => page.setContent(PAGE)),
      contextBytes: await bytesOfContext(browser),
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

/** The memory of one more browser context with the form: private memory and its share of the rest. */
async function bytesOfContext(browser: Browser): Promise<number> {
  const before = bytesOfTree(process.pid)
  const contexts = await Promise.all(Array.from({ length: CONTEXTS }, () => browser.newContext()))
  for (const context of contexts) await (await context.newPage()).setContent(PAGE)
  return (bytesOfTree(process.pid) - before) / CONTEXTS
}

async function rawClick(cdp: CDPSession, { x, y }: { x: number; y: number }): Promise<void> {
  const button = { x, y, button: 'left', clickCount: 1 } as const
  await cdp.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...button })
  await cdp.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button })
}

/** Steps per second of processor time of this process and the browser, after a warm-up. */
async function drive(step: () => Promise<void>): Promise<number> {
  const rates: number[] = []
  for (let sample = 0; sample <= SAMPLES; sample++) {
    const before = cpuOfTree(process.pid)
    for (let count = 0; count < STEPS; count++) await step()
    // The first round is a warm-up.
    if (sample > 0) rates.push(STEPS / (cpuOfTree(process.pid) - before))
  }
  return median(rates)
}

/** Seconds of processor time of a process and its descendants, as counted by the kernel. */
function cpuOfTree(root: number): number {
  const ticks = (pid: number) => {
    const fields = statOf(pid)
    return fields ? Number(fields[11]) + Number(fields[12]) : 0
  }
  return treeOf(root).reduce((sum, pid) => sum + ticks(pid), 0) / 100
}

/** The proportional set size of all descendants of a process, in bytes. */
const bytesOfTree = (root: number): number =>
  treeOf(root)
    .filter((pid) => pid !== root)
    .reduce((sum, pid) => sum + 1024 * Number(/^Pss: +(\d+) kB$/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0), 0)

/** A process and its descendants. */
function treeOf(root: number): readonly number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const fields = statOf(Number(name))
    if (!fields) continue
    const parent = Number(fields[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const below = (pid: number): readonly number[] => [pid, ...(children.get(pid) ?? []).flatMap(below)]
  return below(root)
}

/** The fields of /proc/PID/stat after the name. Undefined for a process that does not exist or has ended. */
function statOf(pid: number): readonly string[] | undefined {
  const text = Number.isInteger(pid) ? read(`/proc/${pid}/stat`) : ''
  return text === '' ? undefined : text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** A kernel file about a process. Empty when the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const linesOf = (rates: Rates): readonly ReportLine[] => [
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
  { what: 'a screenshot that was made before, over REST', measured: `${rates.shown.toFixed(0)}/s` },
  { what: 'Playwright screenshot', measured: `${rates.playwrightShown.toFixed(0)}/s` },
  { what: 'Playwright setContent', measured: `${rates.playwrightReset.toFixed(0)}/s` },
  { what: 'Chromium context with the form', measured: `${(rates.contextBytes / 2 ** 20).toFixed(1)} MB` },
  { what: 'raw CDP click + getFullAXTree', measured: `${rates.cdp.toFixed(0)}/s` },
  { what: 'raw CDP click + getFullAXTree + captureScreenshot', measured: `${rates.cdpPixels.toFixed(0)}/s` },
  atLeast('step in process beside raw CDP without pixels', rates.process / rates.cdp, 1000),
  atLeast('REST step without pixels beside Playwright', rates.step / rates.playwright, 200),
  atLeast('REST step with pixels beside Playwright', rates.pixels / rates.playwrightPixels, 50),
  atLeast('REST step with pixels beside raw CDP', rates.pixels / rates.cdpPixels, 30),
  atLeast('screenshot made before, over REST, beside Playwright', rates.shown / rates.playwrightShown, 500),
  atLeast('reset in process beside setContent', rates.reset / rates.playwrightReset, 10_000),
  atLeast('memory of a context beside a desktop after 20 steps', rates.contextBytes / measureDesktopBytes(), 2000),
]
