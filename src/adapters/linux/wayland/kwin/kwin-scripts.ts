import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../../../../base/fault.ts'
import { SerialQueue } from '../../../../base/serial-queue.ts'
import { type Bus, BusError, type BusMethod, type ObjectRef } from '../../dbus.ts'

/** Runs scripts in KWin, which lists and arranges its windows for them only. */
export interface KWinScripts {
  /** Runs the body of a function in KWin, and returns what that returns. Throws `PlatformUnsupported` when it throws. */
  run<T>(body: string): Promise<T>
}

const KWIN = 'org.kde.KWin'
const SCRIPTING: ObjectRef = { bus: KWIN, path: '/Scripting' }
const LOAD: BusMethod = { interface: 'org.kde.kwin.Scripting', member: 'loadScript', signature: 'ss' }
const UNLOAD: BusMethod = { interface: 'org.kde.kwin.Scripting', member: 'unloadScript', signature: 's' }
/** KWin answers after it has run the script. */
const RUN: BusMethod = { interface: 'org.kde.kwin.Script', member: 'run', timeoutMs: 2000 }
/** Where scripts send their results. */
const RESULTS = '/backlot'
const RESULT: BusMethod = { interface: 'backlot.KWinScript', member: 'result' }
const MAX_RESULT_MS = 2000
const MAX_ATTEMPTS = 5

interface ScriptResult {
  readonly value?: unknown
  readonly error?: string
}

/** Opens the scripting of KWin on a session bus. `folder` is one that KWin reads, for the files of scripts. */
export function openKWinScripts(bus: Bus, folder: string): KWinScripts {
  const waiting = new Map<string, (result: ScriptResult) => void>()
  let last = 0
  bus.onCall(RESULTS, RESULT, (token, result) => {
    waiting.get(String(token))?.(JSON.parse(String(result)) as ScriptResult)
  })
  const runOnce = async (body: string): Promise<ScriptResult> => {
    const token = `backlot-${process.pid}-${++last}-${Math.random().toString(36).slice(2)}`
    const file = join(folder, `.${token}.js`)
    writeFileSync(file, scriptOf(body, bus.name, token), { flag: 'wx', mode: 0o600 })
    let timer: NodeJS.Timeout | undefined
    const result = new Promise<ScriptResult>((resolve, reject) => {
      waiting.set(token, resolve)
      timer = setTimeout(
        () => reject(new Fault('Timeout', `a script in KWin did not answer within ${MAX_RESULT_MS} ms`)),
        MAX_RESULT_MS,
      )
    })
    // A call may fail first.
    result.catch(() => {})
    try {
      const id = await bus.call<number>(SCRIPTING, LOAD, file, token)
      await bus.call(scriptObject(id), RUN)
      return await result
    } finally {
      clearTimeout(timer)
      waiting.delete(token)
      rmSync(file, { force: true })
      await bus.tryCall(SCRIPTING, UNLOAD, token).catch(() => {})
    }
  }
  // KWin numbers scripts by how many there are, so two at once may get the same number.
  const scripts = new SerialQueue()
  return {
    run: <T>(body: string) =>
      scripts.run(async () => {
        for (let attempt = 1; ; attempt++)
          try {
            const { value, error } = await runOnce(body)
            if (error !== undefined) throw new Fault('PlatformUnsupported', `a script in KWin failed: ${error}`)
            return value as T
          } catch (error) {
            // A script of another program may have taken the number.
            if (!(error instanceof BusError)) throw error
            if (attempt === MAX_ATTEMPTS)
              throw new Fault('PlatformUnsupported', `KWin runs no scripts: ${error.message}; run backlot doctor`)
          }
      }),
  }
}

const scriptObject = (id: number): ObjectRef => ({ bus: KWIN, path: `/Scripting/Script${id}` })

/** A script that sends what `body` returns, or the error that it throws, to a connection of the session bus. */
export const scriptOf = (body: string, name: string, token: string): string => `(function () {
  var result
  try {
    result = { value: (function () { ${body} })() }
  } catch (error) {
    result = { error: String(error) }
  }
  callDBus(${[name, RESULTS, RESULT.interface, RESULT.member, token].map((text) => JSON.stringify(text)).join(', ')}, JSON.stringify(result))
})()
`
