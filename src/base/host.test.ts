import { expect, it } from 'vitest'
import { hostName, isLoopback } from './host.ts'

it('knows the names and numbers that stay on this machine', () => {
  const names = ['localhost', '127.0.0.1', '127.8.0.9', '::1', '127.0.0.1.example', 'localhost.example', '10.0.0.1', '']
  expect(names.filter(isLoopback)).toEqual(['localhost', '127.0.0.1', '127.8.0.9', '::1'])
})

it('reads the name in a Host header without its port', () => {
  const hosts = ['LocalHost:5001', '127.0.0.1', '[::1]:80', '[::1]', 'a.example:x']
  expect(hosts.map(hostName)).toEqual(['localhost', '127.0.0.1', '::1', '::1', 'a.example:x'])
})
