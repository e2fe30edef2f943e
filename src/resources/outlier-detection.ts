import type { OutlierDetection as OutlierDetectionMessage } from '../proto/generated/envoy.config.cluster.v3.js';
import { readDurationField } from './common/duration.js';
import type { Validation } from './validation.js';

/** The conditions under which gRPC ejects an endpoint (A50). */
export interface OutlierDetection {
  intervalMs: number;
  baseEjectionTimeMs: number;
  maxEjectionTimeMs: number;
  maxEjectionPercent: number;
  successRate: { stdevFactor: number; enforcement: number; minimumHosts: number; requestVolume: number } | undefined;
  failurePercentage:
    | { threshold: number; enforcement: number; minimumHosts: number; requestVolume: number }
    | undefined;
}

export function readOutlierDetection(message: OutlierDetectionMessage, validation: Validation): OutlierDetection {
  const { enforcingSuccessRate = 0, enforcingFailurePercentage = 0, failurePercentageThreshold: threshold } = message;
  checkPercentage('max_ejection_percent', message.maxEjectionPercent ?? 0, validation);
  checkPercentage('enforcing_success_rate', enforcingSuccessRate, validation);
  checkPercentage('enforcing_failure_percentage', enforcingFailurePercentage, validation);
  if (threshold !== undefined) {
    // C-core checks the wrong field here: an invalid threshold is accepted unless the enforcement percentage is invalid
    // too.
    checkPercentage('failure_percentage_threshold', enforcingFailurePercentage, validation);
    if (threshold > 100 && enforcingFailurePercentage <= 100) {
      const reason = 'A50 requires clients to reject a threshold above 100';
      validation.field('failure_percentage_threshold', () => validation.remark('deviation', reason));
    }
  }
  return {
    intervalMs: readDurationField('interval', message.interval, validation) ?? 10_000,
    baseEjectionTimeMs: readDurationField('base_ejection_time', message.baseEjectionTime, validation) ?? 30_000,
    maxEjectionTimeMs: readDurationField('max_ejection_time', message.maxEjectionTime, validation) ?? 300_000,
    maxEjectionPercent: message.maxEjectionPercent ?? 10,
    successRate:
      enforcingSuccessRate === 0
        ? undefined
        : {
            stdevFactor: message.successRateStdevFactor ?? 1900,
            enforcement: enforcingSuccessRate,
            minimumHosts: message.successRateMinimumHosts ?? 5,
            requestVolume: message.successRateRequestVolume ?? 100,
          },
    failurePercentage:
      enforcingFailurePercentage === 0
        ? undefined
        : {
            threshold: threshold ?? 85,
            enforcement: enforcingFailurePercentage,
            minimumHosts: message.failurePercentageMinimumHosts ?? 5,
            requestVolume: message.failurePercentageRequestVolume ?? 50,
          },
  };
}

function checkPercentage(field: string, value: number, validation: Validation): void {
  if (value > 100) validation.addFieldError(field, 'value must be <= 100');
}
