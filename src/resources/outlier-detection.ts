import type { OutlierDetection as OutlierDetectionMessage } from '../proto/generated/envoy.config.cluster.v3.js';
import { readDurationField } from './common/duration.js';
import type { Judgement } from './judgement.js';

/** When an endpoint counts as broken (A50). */
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

export function readOutlierDetection(message: OutlierDetectionMessage, j: Judgement): OutlierDetection {
  const percentage = (field: string, value: number | undefined): void => {
    if (value !== undefined && value > 100) j.refuseField(field, 'value must be <= 100');
  };
  const { enforcingSuccessRate = 0, enforcingFailurePercentage = 0 } = message;
  const detection = {
    intervalMs: readDurationField('interval', message.interval, j) ?? 10_000,
    baseEjectionTimeMs: readDurationField('base_ejection_time', message.baseEjectionTime, j) ?? 30_000,
    maxEjectionTimeMs: readDurationField('max_ejection_time', message.maxEjectionTime, j) ?? 300_000,
    maxEjectionPercent: message.maxEjectionPercent ?? 10,
  };
  percentage('max_ejection_percent', message.maxEjectionPercent);
  percentage('enforcing_success_rate', enforcingSuccessRate);
  percentage('enforcing_failure_percentage', enforcingFailurePercentage);
  // C-core looks at the wrong number here: a bad threshold passes unless the enforcement is bad as well.
  if (message.failurePercentageThreshold !== undefined) {
    percentage('failure_percentage_threshold', enforcingFailurePercentage);
    if (message.failurePercentageThreshold > 100 && enforcingFailurePercentage <= 100) {
      j.field('failure_percentage_threshold', () => j.remark('deviation', 'A50 asks to refuse a threshold over 100'));
    }
  }
  return {
    ...detection,
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
            threshold: message.failurePercentageThreshold ?? 85,
            enforcement: enforcingFailurePercentage,
            minimumHosts: message.failurePercentageMinimumHosts ?? 5,
            requestVolume: message.failurePercentageRequestVolume ?? 50,
          },
  };
}
