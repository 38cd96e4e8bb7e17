import type { ComputerFixture } from '../adapters/computer.suite.ts'
import { fixturePath, type LinuxTestDesktop, PYTHON, waitUntil } from './test-desktop.ts'

/** The command of a form of GTK 3. */
export const FORM = [PYTHON, fixturePath('gtk-form.py')] as const

/** Polish, Russian, Greek, Japanese, Korean, Arabic, Hebrew, Thai, Devanagari, emoji with joiners, a flag, combining and rare ones. */
export const TEXT_OF_MANY_SCRIPTS = 'Zażółć Привет Ωμέγα 日本語 한국어 مرحبا שלום สวัสดี नमस्ते 👩‍💻 🇵🇱 é 𝔘'

/** A desktop with the form in front, for the suite that every computer passes. */
export async function formFixture(starting: Promise<LinuxTestDesktop>): Promise<ComputerFixture> {
  const testDesktop = await starting
  const form = await testDesktop.launch(/^Form$/, ...FORM)
  await testDesktop.computer.perform({ type: 'activate', window: form.uid })
  return {
    computer: testDesktop.computer,
    until: async (read, good) => {
      let last = await read()
      await waitUntil('it is so', async () => {
        last = await read()
        return good(last)
      })
      return last
    },
    close: () => testDesktop.close(),
  }
}
