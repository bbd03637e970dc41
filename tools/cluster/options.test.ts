import { describe, expect, it } from 'vitest'
import { readCommandLine } from './options.ts'

const read = (line: string) => readCommandLine(line.split(' ').filter(Boolean))

describe('the command line of the cluster', () => {
  it('starts three nodes that do everything, on port 4100', () => {
    expect(read('')).toMatchObject({ roles: ['all', 'all', 'all'], port: 4100, home: undefined, args: [] })
  })

  it('takes the number of nodes, or their roles', () => {
    expect(read('--nodes 2').roles).toEqual(['all', 'all'])
    expect(read('--roles web,worker,worker').roles).toEqual(['web', 'worker', 'worker'])
    expect(read('--nodes 2 --roles web,worker').roles).toEqual(['web', 'worker'])
  })

  it('leaves what stands after -- to the nodes', () => {
    expect(read('--port 0 -- --fast --port 9').args).toEqual(['--fast', '--port', '9'])
  })

  it.each([
    '--nodes 0',
    '--nodes 33',
    '--nodes two',
    '--roles web,boss',
    '--roles worker',
    '--roles web,web',
    '--nodes 3 --roles all,all',
    '--port 65536',
    '--port x',
    '--unknown',
  ])('refuses %s', (line) => expect(() => read(line)).toThrow())
})
