/** Names of devices, which Windows opens in any folder and with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?: *\.| *:| *$)/i

/**
 * Whether Windows would open something else than a file below a folder: another machine, a device, a stream of a file, or
 * another name, since it ignores dots and spaces at the end. Asking another machine about a file also sends it a password.
 */
export function isUnsafeOnWindows(path: string): boolean {
  if (/^[\\/]{2}/.test(path)) return true
  const withoutDrive = path.replace(/^[a-z]:(?=[\\/])/i, '')
  return withoutDrive.includes(':') || withoutDrive.split(/[\\/]/).some(isUnsafePart)
}

const isUnsafePart = (part: string): boolean => DEVICE.test(part) || (/[. ]$/.test(part) && !/^\.{1,2}$/.test(part))

/** Whether a path is unsafe on the platform that this program runs on. */
export const isUnsafeHere = (path: string): boolean => process.platform === 'win32' && isUnsafeOnWindows(path)
