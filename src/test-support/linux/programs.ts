import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Opened, Trial } from './test-desktop.ts'

/** LibreOffice with a profile of its own. */
export const openOffice = (trial: Trial, title: RegExp, kind: 'writer' | 'calc'): Promise<Opened> =>
  trial.open(
    title,
    'soffice',
    `-env:UserInstallation=file://${join(trial.desktop.env.HOME!, kind)}`,
    '--norestore',
    '--nofirststartwizard',
    '--nologo',
    `--${kind}`,
  )

const FIREFOX_SETTINGS: Readonly<Record<string, unknown>> = {
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'signon.rememberSignons': false,
  'startup.homepage_welcome_url': '',
  'startup.homepage_welcome_url.additional': '',
  'termsofuse.bypassNotification': true,
}

/** Firefox with a profile of its own that asks nothing. */
export function openFirefox(trial: Trial, title: RegExp, page: string): Promise<Opened> {
  const profile = join(trial.desktop.env.HOME!, 'firefox')
  mkdirSync(profile, { recursive: true })
  const lines = Object.entries(FIREFOX_SETTINGS).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  )
  writeFileSync(join(profile, 'user.js'), lines.join('\n'))
  return trial.open(title, 'firefox-esr', '--no-remote', '--profile', profile, page)
}

/** Chromium with a profile of its own that shows its pages to assistive programs. */
export const openChromium = (trial: Trial, title: RegExp, page: string): Promise<Opened> =>
  trial.open(
    title,
    'chromium',
    '--no-sandbox',
    '--no-first-run',
    '--force-renderer-accessibility',
    '--password-store=basic',
    `--user-data-dir=${join(trial.desktop.env.HOME!, 'chromium')}`,
    page,
  )
