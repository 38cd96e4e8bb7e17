import type { Personality } from './personality.ts'
import { linuxGtk } from './platforms/linux-gtk.ts'
import { linuxQt } from './platforms/linux-qt.ts'
import { macosAx } from './platforms/macos-ax.ts'
import { webChromium } from './platforms/web-chromium.ts'
import { webFirefox } from './platforms/web-firefox.ts'
import { windowsUia } from './platforms/windows-uia.ts'

/** The personalities, each a file. */
export const PERSONALITIES: readonly Personality[] = [windowsUia, macosAx, linuxGtk, linuxQt, webChromium, webFirefox]

/** The personality with a name. */
export const personalityNamed = (name: string): Personality | undefined =>
  PERSONALITIES.find((personality) => personality.name === name)
