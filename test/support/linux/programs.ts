import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { centerOf } from '../../../src/desktop/model/geometry.ts'
import type { LinuxTestDesktop, TestWindow } from './test-desktop.ts'

/** How a program is started. */
export interface ProgramOptions {
  /** Variables of its environment, such as `GDK_SCALE=2`. */
  readonly settings?: readonly string[]
  readonly args?: readonly string[]
}

/** Opens LibreOffice with a separate profile. */
export const openLibreOffice = (
  testDesktop: LinuxTestDesktop,
  title: RegExp,
  kind: 'writer' | 'calc',
  { settings = [], args = [] }: ProgramOptions = {},
): Promise<TestWindow> =>
  testDesktop.launch(
    title,
    'env',
    ...settings,
    'soffice',
    `-env:UserInstallation=file://${join(testDesktop.desktop.env.HOME!, kind)}`,
    '--norestore',
    '--nofirststartwizard',
    '--nologo',
    `--${kind}`,
    ...args,
  )

/** Settings of Firefox that suppress all prompts. */
export const FIREFOX_SETTINGS: Readonly<Record<string, unknown>> = {
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'signon.rememberSignons': false,
  'startup.homepage_welcome_url': '',
  'startup.homepage_welcome_url.additional': '',
  'termsofuse.bypassNotification': true,
}

/** Opens Firefox with a separate profile that suppresses all prompts. */
export function openFirefox(
  testDesktop: LinuxTestDesktop,
  title: RegExp,
  page: string,
  { settings = [], args = [] }: ProgramOptions = {},
): Promise<TestWindow> {
  const profile = join(testDesktop.desktop.env.HOME!, 'firefox')
  mkdirSync(profile, { recursive: true })
  const lines = Object.entries(FIREFOX_SETTINGS).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  )
  writeFileSync(join(profile, 'user.js'), lines.join('\n'))
  const started = ['firefox-esr', '--no-remote', '--profile', profile, ...args, page]
  return testDesktop.launch(title, 'env', ...settings, ...started)
}

/** Opens Chromium with a separate profile and accessibility enabled. */
export const openChromium = (
  testDesktop: LinuxTestDesktop,
  title: RegExp,
  page: string,
  { settings = [], args = [] }: ProgramOptions = {},
): Promise<TestWindow> =>
  testDesktop.launch(
    title,
    'env',
    ...settings,
    'chromium',
    '--no-sandbox',
    '--no-first-run',
    '--force-renderer-accessibility',
    '--password-store=basic',
    `--user-data-dir=${join(testDesktop.desktop.env.HOME!, 'chromium')}`,
    ...(testDesktop.desktop.env.WAYLAND_DISPLAY === undefined ? [] : ['--ozone-platform=wayland']),
    ...args,
    page,
  )

/** Drags from the source of `gtk-drag.py` to its target, each a program of its own, and waits until the text is dropped. */
export async function dragBetween(
  { computer }: LinuxTestDesktop,
  source: TestWindow,
  target: TestWindow,
  durationMs = 0,
): Promise<void> {
  const from = centerOf((await source.element('Button "Drag me"')).bounds)
  const to = centerOf((await target.element('Text "Drop here"')).bounds)
  await computer.perform({ type: 'drag', from, to, durationMs, modifiers: [] })
  await target.waitForText('dropped a text')
}
