// Clients of grpc-java that each watch one resource; see test/interop/support/verdict-client.ts. A channel watches only
// the resources on its way to endpoints, so this uses the XdsClient directly. It is not public: hence the package.
package io.grpc.xds;

import io.grpc.MetricRecorder;
import io.grpc.Status;
import io.grpc.StatusOr;
import io.grpc.internal.GrpcUtil;
import io.grpc.internal.JsonParser;
import io.grpc.internal.ObjectPool;
import io.grpc.xds.client.Bootstrapper.BootstrapInfo;
import io.grpc.xds.client.XdsClient;
import io.grpc.xds.client.XdsClient.ResourceUpdate;
import io.grpc.xds.client.XdsClient.ResourceWatcher;
import io.grpc.xds.client.XdsResourceType;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

final class Verdicts {
  private static final List<XdsResourceType<?>> TYPES =
      List.of(
          XdsListenerResource.getInstance(),
          XdsRouteConfigureResource.getInstance(),
          XdsClusterResource.getInstance(),
          XdsEndpointResource.getInstance());

  private static final SharedXdsClientPoolProvider POOLS = new SharedXdsClientPoolProvider();
  private static int clientCount = 0;

  public static void main(String[] args) throws Exception {
    System.out.println("{\"version\":\"grpc-java " + GrpcUtil.IMPLEMENTATION_VERSION + "\"}");
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    List<Runnable> stops = new ArrayList<>();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      Map<?, ?> command = (Map<?, ?>) JsonParser.parse(line);
      if (command.get("op").equals("watch")) {
        for (Object watch : (List<?>) command.get("watches")) {
          stops.add(start((Map<?, ?>) watch));
        }
      } else {
        stops.forEach(Runnable::run);
        stops.clear();
      }
      System.out.println("{}");
    }
    System.exit(0);
  }

  private static Runnable start(Map<?, ?> watch) throws Exception {
    @SuppressWarnings("unchecked")
    Map<String, ?> config = (Map<String, ?>) watch.get("bootstrap");
    BootstrapInfo bootstrap = new GrpcBootstrapperImpl().bootstrap(config);
    // Clients are shared by target, so each watch uses its own target.
    ObjectPool<XdsClient> pool = POOLS.getOrCreate("client" + clientCount++, bootstrap, new MetricRecorder() {});
    XdsClient client = pool.getObject();
    for (XdsResourceType<?> type : TYPES) {
      if (type.typeUrl().equals(watch.get("typeUrl"))) {
        client.watchXdsResource(type, (String) watch.get("name"), new IgnoringWatcher<>());
      }
    }
    return () -> pool.returnObject(client);
  }

  /** Ignores all updates: the test reads the ACK or NACK on the stream instead. */
  private static final class IgnoringWatcher<T extends ResourceUpdate> implements ResourceWatcher<T> {
    @Override
    public void onResourceChanged(StatusOr<T> update) {}

    @Override
    public void onAmbientError(Status error) {}
  }
}
