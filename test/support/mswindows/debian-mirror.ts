import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './run-program.ts'

const PUBLIC_MIRROR = 'http://deb.debian.org/debian'

/** apt's own fetcher, which applies the proxy, certificates and passwords of the machine. */
const APT_HELPER = '/usr/lib/apt/apt-helper'

/** The first package source of this machine that serves a release of Debian, or Debian's public mirror. */
export async function debianMirror(release: string): Promise<string> {
  const sources = await runProgram('apt-get', ['indextargets', '--format', '$(REPO_URI)'])
  const mirrors = candidateMirrors(sources)
  for (const mirror of mirrors) if (await serves(mirror, release)) return mirror
  throw new Error(`no package source of this machine serves Debian ${release}; tried ${mirrors.join(', ')}`)
}

/** The addresses of package sources in order, each once, with the public mirror at the end. */
export function candidateMirrors(sources: string): readonly string[] {
  const addresses = sources.split('\n').map((line) => line.trim().replace(/\/+$/, ''))
  return [...new Set([...addresses.filter((address) => address !== ''), PUBLIC_MIRROR])]
}

async function serves(mirror: string, release: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-mirror-'))
  const file = join(folder, 'InRelease')
  try {
    await runProgram(APT_HELPER, ['download-file', `${mirror}/dists/${release}/InRelease`, file], { limitMs: 60_000 })
    return /^Origin: Debian$/m.test(readFileSync(file, 'utf8'))
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The settings of this machine for downloads, such as a proxy, as lines of a configuration file of apt. */
export async function aptDownloadSettings(): Promise<string> {
  const lines = (await runProgram('apt-config', ['dump'])).split('\n').filter((line) => /^Acquire::[^ ]+ "/.test(line))
  const passwords = [
    ['Dir::Etc::netrc', '/etc/apt/auth.conf'],
    ['Dir::Etc::netrcparts', '/etc/apt/auth.conf.d'],
  ].filter(([, path]) => existsSync(path!))
  return [...lines, ...passwords.map(([key, path]) => `${key} "${path}";`), ''].join('\n')
}
