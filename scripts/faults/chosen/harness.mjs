import { faultsOf } from './define.mjs'

const fault = faultsOf('harness', 'support/acp-snapshot')
const on = (...scenarios) => ({ scenarios })
const known = (...guards) => ({ guards })

export const HARNESS = [
  fault(
    'collect the first log alone',
    'log-missing',
    [
      'harvest/harvest.ts',
      'return [...orderSessions(found), ...refused]',
      'return [...orderSessions(found).slice(0, 1), ...refused]',
    ],
    on('subagent-spawn'),
  ),
  fault(
    'collect logs in another order',
    ['log-differs:session', 'log-differs:user/message', 'log-differs:turn/start'],
    [
      'harvest/order.ts',
      'if (parent === undefined) roots.push(session)',
      'if (parent !== undefined) roots.push(session)',
    ],
    on('subagent-spawn'),
  ),
  fault(
    'one token for all ids',
    'misnamed:stdout-differs>log-differs:session',
    [
      [
        'normalise/tokens.ts',
        "return number === 0 ? '{{session}}' : `{{session.${number}}}`",
        "return number < 0 ? '' : '{{session}}'",
      ],
    ],
    known('ids-crossed'),
  ),
  fault(
    'skip the check of the report',
    'missed:leftover',
    [
      'verdict/judge.ts',
      '[...report.causes, ...faultsOf(result, normal), ...report.findings]',
      'faultsOf(result, normal)',
    ],
    known('sidecar-left'),
  ),
  fault(
    'skip the comparison of the transcript',
    'missed:stdout-differs',
    ['verdict/judge.ts', '    ...stdoutDifferences(wanted.stdout, normal.stdout),\n', ''],
    known('transcript-word'),
  ),
  fault(
    'skip the comparison of logs',
    'misnamed:log-differs:tool/result>request-drift',
    [
      'verdict/judge.ts',
      '...compareLogs(wanted.logs, normal.logs),',
      "...compareLogs(wanted.logs, normal.logs).filter(({ kind }) => kind !== 'log-differs'),",
    ],
    known('result-changed'),
  ),
  fault(
    'compare events by their type alone',
    'misnamed:log-differs:tool/result>request-drift',
    [
      'verdict/compare.ts',
      'export const wholeRecord: View = (record) => record.value\n',
      "export const wholeRecord: View = (record) => record.value['type']\n",
    ],
    known('result-changed'),
  ),
  fault(
    'compare as far as the shorter log goes',
    'missed:log-differs:turn/end',
    ['verdict/compare.ts', 'const longest = Math.max(', 'const longest = Math.min('],
    known('event-too-many', 'transcript-line-gone'),
  ),
  fault(
    'overlook a log that is too many',
    'other-words:unrecorded-session',
    ['verdict/compare.ts', 'return [...findings, ...extra]', 'return findings'],
    known('child-gone'),
  ),
  fault(
    'overlook a log that is missing',
    'other-words:leftover',
    [
      'verdict/compare.ts',
      "return isEmpty(records) ? [] : [{ kind: 'log-missing', file: log.name }]",
      'return []',
    ],
    known('child-too-many'),
  ),
  fault(
    'skip the pinned header',
    'missed:header-differs',
    ['verdict/judge.ts', '    ...pinnedDifferences(expected.pinned, normal),\n', ''],
    known('header-changed'),
  ),
  fault(
    'forget the faults of a run',
    'missed:fault:protocol-line',
    ['verdict/judge.ts', '...faultsOf(result, normal), ', ''],
    known('line-not-protocol', 'exit-code'),
  ),
  fault(
    'leave the times as they are',
    'log-differs:session',
    ['normalise/normaliser.ts', 'createdAt: rank }', 'createdAt: value.createdAt }'],
    on('text-turn'),
  ),
  fault(
    'leave the times of events as they are',
    'log-differs:turn/start',
    ['normalise/times.ts', "if ('time' in out) out['time'] = 0\n", ''],
    on('text-turn'),
  ),
  fault(
    'leave a path that a stream cut',
    'log-differs:session',
    ['normalise/replacer.ts', 'return replaceAcrossDeltas(pieces, this.edits)', 'return pieces'],
    on('abs-path-split'),
  ),
  fault(
    'let a line pass that is no protocol',
    'other-words:fault:protocol-line',
    [
      'run/stdout-capture.ts',
      "if ('problem' in read) this.report(read.text, read.problem)\n    else",
      "if (!('problem' in read))",
    ],
    known('line-not-protocol'),
  ),
  fault(
    'let a key pass that stands twice',
    'misnamed:line-form>stdout-differs',
    [
      'verdict/normal-run.ts',
      'if (message !== undefined) {\n        findings.push',
      'if (message === undefined && index < 0) {\n        findings.push',
    ],
    known('key-twice'),
  ),
  fault(
    'let any exit code pass',
    'missed:fault:agent-exited',
    [
      'run/agent-host.ts',
      'if (exit.code === 0) return undefined',
      'if (exit.code !== null) return undefined',
    ],
    known('exit-code'),
  ),
  fault(
    'leave processes alone that outlive the agent',
    'missed:fault:descendants-left',
    ['run/agent-host.ts', 'const left = await descendants.end()', 'const left: string[] = []'],
    known('process-left'),
  ),
  fault(
    'let a refused prompt pass for an answered one',
    'missed:fault:step-failed',
    [
      'run/steps.ts',
      '    } catch (error) {\n      fail(context, error)\n    }',
      '    } catch (error) {\n      void [fail, error]\n    }',
    ],
    known('error-expected'),
  ),
  fault(
    'let a report pass that has no end',
    'missed:report-incomplete',
    ['verdict/report.ts', 'if (!context.killed) findings.push(...gaps(inOrder, context))', ''],
    known('no-clean-up'),
  ),
  fault(
    'overlook what is left of a lane',
    'missed:leftover',
    ['verdict/report.ts', 'if (summary.left === 0) continue', 'if (summary.left < 1e9) continue'],
    known('sidecar-left'),
  ),
  fault(
    'overlook a stray file among the logs',
    'missed:log-unreadable',
    ['harvest/harvest.ts', 'if (TEMPORARY.test(name)) continue', 'if (name !== LOG) continue'],
    known('stray-file'),
  ),
  fault(
    'name differences before their cause',
    'misnamed:extra-call>stdout-differs',
    [
      'verdict/judge.ts',
      "    ...(result.mode === 'record' ? [] : differences(scenario, expected, normal, rules)),\n    ...report.drifts,\n  ]",
      "    ...(result.mode === 'record' ? [] : differences(scenario, expected, normal, rules)),\n    ...report.drifts,\n  ].reverse()",
    ],
    known('call-gone'),
  ),
  fault(
    'recommend a refresh for everything',
    'other-words:extra-call',
    [
      'verdict/remedy.ts',
      "return { remedy: source === 'authored' ? 'by-hand' : 'record' }",
      "return { remedy: 'refresh' }",
    ],
    known('call-gone'),
  ),
  fault(
    'exit with 0 whatever was found',
    'exit-code',
    [
      'cli/scenarios.ts',
      'return failed > 0 ? EXIT.failed : EXIT.passed',
      'return failed > 1e9 ? EXIT.failed : EXIT.passed',
    ],
    known('result-changed'),
  ),
]
