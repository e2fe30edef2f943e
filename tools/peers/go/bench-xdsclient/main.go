// grpc-go's XdsClient without a channel: it watches a listener and all its dependencies, as a resolver would, and discards
// the updates. With the argument "manager", grpc-go's dependency manager watches them and publishes resolved
// configurations, as xds-inspect's client does.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"

	estats "google.golang.org/grpc/experimental/stats"
	"google.golang.org/grpc/internal/xds/bootstrap"
	"google.golang.org/grpc/internal/xds/xdsclient"
	"google.golang.org/grpc/internal/xds/xdsclient/xdsresource"
	"google.golang.org/grpc/internal/xds/xdsdepmgr"
	// Registers the load balancing policies and filters that resources may contain.
	_ "google.golang.org/grpc/xds"
)

type noMetrics struct {
	estats.UnimplementedMetricsRecorder
}

// Logs errors for all watchers; a benchmark should have none.
type watcher struct{}

func (watcher) ResourceError(err error, done func()) {
	log.Print(err)
	done()
}

func (watcher) AmbientError(err error, done func()) {
	log.Print(err)
	done()
}

type listenerWatcher struct {
	watcher
	client xdsclient.XDSClient
	routes string
}

func (w *listenerWatcher) ResourceChanged(listener *xdsresource.ListenerUpdate, done func()) {
	defer done()
	name := listener.APIListener.RouteConfigName
	if name == w.routes {
		return
	}
	w.routes = name
	xdsresource.WatchRouteConfig(w.client, name, &routeWatcher{client: w.client, clusters: map[string]bool{}})
}

type routeWatcher struct {
	watcher
	client   xdsclient.XDSClient
	clusters map[string]bool
}

func (w *routeWatcher) ResourceChanged(routes *xdsresource.RouteConfigUpdate, done func()) {
	defer done()
	for _, host := range routes.VirtualHosts {
		for _, route := range host.Routes {
			for _, cluster := range route.WeightedClusters {
				if !w.clusters[cluster.Name] {
					w.clusters[cluster.Name] = true
					xdsresource.WatchCluster(w.client, cluster.Name, &clusterWatcher{client: w.client})
				}
			}
		}
	}
}

type clusterWatcher struct {
	watcher
	client    xdsclient.XDSClient
	isWatched bool
}

func (w *clusterWatcher) ResourceChanged(cluster *xdsresource.ClusterUpdate, done func()) {
	defer done()
	if w.isWatched {
		return
	}
	w.isWatched = true
	name := cluster.EDSServiceName
	if name == "" {
		name = cluster.ClusterName
	}
	xdsresource.WatchEndpoints(w.client, name, endpointsWatcher{})
}

type endpointsWatcher struct{ watcher }

func (endpointsWatcher) ResourceChanged(_ *xdsresource.EndpointsUpdate, done func()) { done() }

type configWatcher struct{}

func (configWatcher) Update(*xdsresource.XDSConfig) {}

func (configWatcher) Error(err error) { log.Print(err) }

const name = "bench"

func main() {
	config, err := bootstrap.GetConfiguration()
	if err != nil {
		log.Fatal(err)
	}
	client, _, err := xdsclient.NewPool(config).NewClient(name, noMetrics{})
	if err != nil {
		log.Fatal(err)
	}
	if len(os.Args) > 1 && os.Args[1] == "manager" {
		xdsdepmgr.New(name, name, client, configWatcher{})
	} else {
		xdsresource.WatchListener(client, name, &listenerWatcher{client: client})
	}
	fmt.Println("{}")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		fmt.Println("{}")
	}
}
